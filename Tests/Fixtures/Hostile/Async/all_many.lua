local f, t = function() end, {} for i = 1, 2e4 do t[i] = f end all(t) return 0
