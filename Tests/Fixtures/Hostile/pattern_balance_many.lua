return tostring((('('):rep(1e5)):gsub('%b()', ''))
