local t = {} for i = 1, 1e4 do t['k' .. i] = ('x'):rep(100) end for i = 1, 1000 do log.info('x', t) end
