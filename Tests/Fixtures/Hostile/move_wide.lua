table.move({}, math.mininteger, -2, 1, {})
