local co = coroutine.wrap(function() while true do sleep(0.001) coroutine.yield() end end) while true do co() end
