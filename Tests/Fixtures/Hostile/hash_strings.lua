local t = {} for i = 1, 1e7 do t[('k'):rep(41) .. i] = i end
