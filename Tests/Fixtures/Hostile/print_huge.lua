for i = 1, 100 do print(('x'):rep(2^20)) end
