local mt = {} local t = setmetatable({}, mt) mt.__gc = function() while true do end end t = nil for i = 1, 1e6 do local u = {} end
