for x = 0, 1, 1e-300 do end
