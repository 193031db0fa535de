local mt mt = {__pairs = function(t) return pairs(setmetatable({}, mt)) end} for k in pairs(setmetatable({}, mt)) do end
