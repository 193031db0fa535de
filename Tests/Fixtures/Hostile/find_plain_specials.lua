local s = ('a'):rep(2^18) for i = 1, 1e6 do s:find(('a'):rep(2^17) .. '.', 1, true) end
