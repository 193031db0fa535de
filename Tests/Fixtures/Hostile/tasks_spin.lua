for i = 1, 50 do task(function() while true do sleep(0) end end) end
