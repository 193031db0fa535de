error(('x'):rep(2^20))
