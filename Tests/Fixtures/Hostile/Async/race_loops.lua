race{function() while true do sleep(0.001) end end, function() while true do end end}
