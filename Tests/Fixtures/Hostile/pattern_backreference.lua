local s = ('a'):rep(2e5) return tostring(s:find('(.*)%1%1b'))
