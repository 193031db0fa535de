local t = {} for i = 1, 1e4 do t[i] = i end for i = 1, 1e6 do table.move(t, 1, 1e4, 2) end
