local mt = {} mt.__tostring = function(t) return string.format('%s', t) end return tostring(setmetatable({}, mt))
