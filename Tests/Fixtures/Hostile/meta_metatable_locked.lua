local t = setmetatable({}, {__metatable = {}}) return setmetatable(t, {})
