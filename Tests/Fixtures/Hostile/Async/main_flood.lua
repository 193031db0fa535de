for i = 1, 1e5 do global(function() end) end return 0
