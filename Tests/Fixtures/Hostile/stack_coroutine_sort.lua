local function f() local co = coroutine.wrap(function() table.sort({2, 1}, function() f() end) end) co() end f()
