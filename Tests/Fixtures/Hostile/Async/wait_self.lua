local t t = task(function() t:wait() end) t:wait()
