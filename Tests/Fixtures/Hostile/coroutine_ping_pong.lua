local a, b a = coroutine.wrap(function() while true do b() coroutine.yield() end end) b = coroutine.wrap(function() while true do a() coroutine.yield() end end) while true do a() end
