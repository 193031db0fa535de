pcall(on, "ended", function() while true do task(function() sleep(1) end) end end) pcall(on, "ending", function() for i = 1, 1e9 do pcall(task, function() while true do end end) end end)
