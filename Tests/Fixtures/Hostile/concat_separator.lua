local t = {} for i = 1, 1e4 do t[i] = '' end return #table.concat(t, ('x'):rep(1e5))
