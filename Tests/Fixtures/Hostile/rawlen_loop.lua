local s = 'x' for i = 1, 1e9 do rawlen(s) end
