throw(('x'):rep(2^20))
