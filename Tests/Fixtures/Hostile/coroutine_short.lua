for i = 1, 1e9 do coroutine.wrap(function() for j = 1, 900 do end end)() end
