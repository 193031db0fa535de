local t = {} for i = 1, 3e5 do t[i] = -i end table.sort(t)
