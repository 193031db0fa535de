local a, b = {}, {} setmetatable(a, {__call = b, __add = b, __concat = a, __eq = b}) setmetatable(b, {__call = a, __eq = a})
pcall(function() for x in a do end end) pcall(function() return a + 1 end) pcall(function() return a .. 1 end) return a == b
