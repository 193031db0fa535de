return #(''):rep(math.maxinteger, '')
