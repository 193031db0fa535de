return tostring(('a'):rep(40):find(('(a*)'):rep(20) .. 'b'))
