while true do coroutine.wrap(function() sleep(0) end)() end
