return #string.format('%q', ('\1'):rep(2^20))
