local s = ('x'):rep(1e6) return #s:gsub('.*', ('%0'):rep(1e4))
