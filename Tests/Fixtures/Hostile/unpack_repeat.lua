local t = {} for i = 1, 2e5 do t[i] = i end for i = 1, 1e6 do select('#', table.unpack(t)) end
