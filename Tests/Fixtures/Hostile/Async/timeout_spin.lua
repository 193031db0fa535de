timeout(0.01, function() while true do end end)
