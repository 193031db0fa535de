local f = utf8.codes('a') local s = ('\x80'):rep(2^20) for i = 1, 1e6 do pcall(f, 'a' .. s, 1) end
