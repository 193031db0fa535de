local t = {} setmetatable(t, {__call = t}) local x <close> = setmetatable({}, {__close = t}) while true do end
