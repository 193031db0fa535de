local t = setmetatable({}, {__index = function(t, k) return pcall(function() return t[k] end) end}) return tostring(t.x)
