table.insert(setmetatable({}, {__len = function() return 2^53 | 0 end, __index = type, __newindex = type}), 1, 0)
