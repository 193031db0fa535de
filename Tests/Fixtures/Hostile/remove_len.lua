table.remove(setmetatable({}, {__len = function() return math.maxinteger end, __index = type, __newindex = type}), 1)
