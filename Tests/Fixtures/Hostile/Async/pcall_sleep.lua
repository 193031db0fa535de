while true do pcall(function() while true do sleep(0.001) error('x') end end) end
