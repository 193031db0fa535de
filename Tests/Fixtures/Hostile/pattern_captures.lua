return tostring(('a'):rep(100):find(('('):rep(33) .. 'a'))
