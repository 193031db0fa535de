local s = ('a'):rep(2^20) for i = 1, 1e7 do utf8.offset(s, -1, 1) utf8.offset(s, 2^19 | 0) end
