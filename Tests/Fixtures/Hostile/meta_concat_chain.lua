local t = setmetatable({}, {__concat = function(a, b) return a end}) local s = t while true do s = s .. 'x' .. t end
