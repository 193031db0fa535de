local set = '[' .. ('a'):rep(1e5) .. ']' return tostring((('b'):rep(1e5)):find(set))
