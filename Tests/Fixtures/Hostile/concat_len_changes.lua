local n = 3 return #table.concat(setmetatable({}, {__index = tostring, __len = function() n = n ^ 2 // 1 | 0 return n end}), ',', 1)
