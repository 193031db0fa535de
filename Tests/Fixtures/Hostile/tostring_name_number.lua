return tostring(setmetatable({}, {__name = 5}))
