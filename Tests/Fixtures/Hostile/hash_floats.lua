local t = {} for i = 1, 1e7 do t[i + 0.5] = i end
