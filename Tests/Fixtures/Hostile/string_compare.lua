local a, b = ('x'):rep(2^20) .. 'a', ('x'):rep(2^20) .. 'b' for i = 1, 1e8 do local _ = a < b end
