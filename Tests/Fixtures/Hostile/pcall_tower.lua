local f = error for i = 1, 1e5 do local g = f f = function() return pcall(g) end end return tostring(f())
