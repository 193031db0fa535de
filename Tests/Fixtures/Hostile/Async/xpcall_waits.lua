while true do xpcall(function() sleep(0.001) error('x') end, function() while true do end end) end
