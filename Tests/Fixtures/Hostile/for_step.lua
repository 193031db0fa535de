for i = math.mininteger, math.maxinteger, 1 do end
