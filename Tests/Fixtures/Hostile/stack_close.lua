local function f() local x <close> = setmetatable({}, {__close = function() f() end}) end f()
