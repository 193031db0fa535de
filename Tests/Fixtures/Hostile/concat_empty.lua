local t = {} for i = 1, 1e5 do t[i] = '' end for i = 1, 1e6 do table.concat(t) end
