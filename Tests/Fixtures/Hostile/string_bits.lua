local s = (' '):rep(2^20) .. '1' for i = 1, 1e7 do local x = s | 0 end
