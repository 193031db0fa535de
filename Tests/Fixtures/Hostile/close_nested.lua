local function f(n) local x <close> = setmetatable({}, {__close = function() while true do end end}) if n > 0 then return f(n - 1) .. 'x' end while true do end end f(180)
