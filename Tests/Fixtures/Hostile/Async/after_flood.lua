for i = 1, 1e5 do after(1e9, function() end) end return 0
