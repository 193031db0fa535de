local co = coroutine.create(function() coroutine.yield(coroutine.yield) end) return tostring(select(2, coroutine.resume(co)))
