return tostring((('a'):rep(220000)):match('.-.-.-b'))
