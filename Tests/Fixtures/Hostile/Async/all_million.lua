local f, t = function() end, {} for i = 1, 1e6 do t[i] = f end all(t)
