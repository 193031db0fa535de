local s = ('a'):rep(2^20) for i = 1, 1e7 do utf8.len(s) end
