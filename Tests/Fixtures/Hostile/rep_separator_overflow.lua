return #('x'):rep(math.maxinteger, ('y'):rep(1000))
