task(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) sleep(60) end) return 0
