local mt = {} local t = setmetatable({}, mt) mt.__mode = 'kv' for i = 1, 1e5 do t[i] = {} end return tostring(next(t))
