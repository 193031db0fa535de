local t = {} for i = 1, 1e5 do t[i] = 65 end for i = 1, 1e6 do string.char(table.unpack(t)) end
