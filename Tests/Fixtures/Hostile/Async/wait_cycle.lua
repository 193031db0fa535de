local a, b a = task(function() b:wait() end) b = task(function() a:wait() end) a:wait()
