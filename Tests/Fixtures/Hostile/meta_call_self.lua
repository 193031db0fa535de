local t = {} setmetatable(t, {__call = t}) while true do pcall(t) end
