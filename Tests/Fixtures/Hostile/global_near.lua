return _G[('x'):rep(2^20)]
