local w = {} local mt = setmetatable({}, w) w.__mode = 'v' mt.__newindex = {} local t = setmetatable({}, mt) for i = 1, 1e6 do t[i] = ('x'):rep(i % 100) mt.__newindex = mt.__newindex or {} end
