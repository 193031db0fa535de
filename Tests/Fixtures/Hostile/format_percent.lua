local s = ('%%'):rep(2^19) for i = 1, 1e6 do string.format(s) end
