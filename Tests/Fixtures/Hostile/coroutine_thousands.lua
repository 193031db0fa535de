local all = {} for i = 1, 1e6 do all[i] = coroutine.create(function() coroutine.yield() end) coroutine.resume(all[i]) end
