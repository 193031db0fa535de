local x <close> = setmetatable({}, {__close = function() while true do sleep(0.001) end end}) return 0
