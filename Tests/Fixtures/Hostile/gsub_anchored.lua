local s = ('a'):rep(1e6) for i = 1, 1e6 do s:gsub('^(a-)b', '') end
