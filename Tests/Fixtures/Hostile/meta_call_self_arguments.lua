local t, many = {}, {} for i = 1, 20000 do many[i] = i end setmetatable(t, {__call = t}) xpcall(t, function() return t() end, table.unpack(many))
