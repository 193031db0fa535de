local mt = {__lt = function() while true do end end} table.sort({setmetatable({}, mt), setmetatable({}, mt)})
