local function f(n) local co = coroutine.create(function() return f(n + 1) end) local _, r = coroutine.resume(co) return r end return tostring(f(1))
