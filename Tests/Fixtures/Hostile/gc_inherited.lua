local base = setmetatable({}, {__index = {__gc = function() while true do end end}}) local t = setmetatable({}, base) t = nil for i = 1, 1e6 do local u = {} end
