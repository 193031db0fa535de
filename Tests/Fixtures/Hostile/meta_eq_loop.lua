local mt = {__eq = function() while true do end end} return tostring(setmetatable({}, mt) == setmetatable({}, mt))
