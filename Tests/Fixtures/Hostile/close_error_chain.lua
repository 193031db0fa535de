local function f(n) local x <close> = setmetatable({}, {__close = function(_, e) error(tostring(e) .. n) end}) if n > 0 then f(n - 1) end error('x') end f(150)
