local s = (' '):rep(2^20) .. '1' for i = 1, 1e7 do tonumber(s) end
