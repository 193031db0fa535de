return table.concat(setmetatable({}, {__index = function() return '' end}), '', math.mininteger, math.maxinteger)
