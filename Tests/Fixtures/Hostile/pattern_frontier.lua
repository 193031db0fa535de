return tostring((('a'):rep(2e5)):find(('%f[b]'):rep(1000)))
