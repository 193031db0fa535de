while true do task(function() sleep(60) end) end
