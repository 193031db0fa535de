local t = {1, 2, 3, a = 1} for k in pairs(t) do t[k] = nil t[{}] = 1 end
