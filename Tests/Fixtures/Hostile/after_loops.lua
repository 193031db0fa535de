for i = 1, 1e6 do pcall(after, 0, function() while true do end end) end
