local t = {} for i = 1, 2e5 do t[i] = i end for i = 1, 1e6 do t = table.pack(table.unpack(t, 1, 2e5)) end
