local mt = {} mt.__unm = function(t) return -t end return -setmetatable({}, mt)
