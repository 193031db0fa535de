return tostring(1 << 64) .. tostring(1 >> -1) .. tostring(1 << math.mininteger)
