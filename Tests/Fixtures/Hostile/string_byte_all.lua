local s = ('x'):rep(2e5) for i = 1, 1e6 do select('#', s:byte(1, -1)) end
