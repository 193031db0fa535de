local t = {} setmetatable(t, {__call = t}) pcall(table.sort, {3, 2, 1}, t) pcall(string.gsub, "abc", ".", t) return t()
