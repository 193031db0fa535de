local t = {} for i = 1, 1990 do t = setmetatable({}, {__index = t}) end for i = 1, 1e8 do local _ = t.x end
