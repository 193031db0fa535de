local function f() table.sort({2, 1}, function() return (('x'):gsub('x', f)) == 1 end) end f()
