return setmetatable({}, {__name = ('n'):rep(2^20)}) + 1
