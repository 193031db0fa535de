return tostring(('a'):rep(1e5):find(('a?'):rep(1e4) .. 'b'))
