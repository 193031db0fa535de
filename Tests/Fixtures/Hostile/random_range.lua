for i = 1, 1e9 do math.random(0) math.random(math.mininteger, math.maxinteger) end
