for _ in utf8.codes(('\x80'):rep(1e6)) do end
