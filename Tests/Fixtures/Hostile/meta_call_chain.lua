local f = print for i = 1, 1e5 do f = setmetatable({}, {__call = f}) end f()
