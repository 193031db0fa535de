local f = function() end while true do local g = f f = function() return g() end end
