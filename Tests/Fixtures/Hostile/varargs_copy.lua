local function f(...) return select('#', ...) end local t = {} for i = 1, 2e5 do t[i] = i end for i = 1, 1e7 do f(table.unpack(t)) end
