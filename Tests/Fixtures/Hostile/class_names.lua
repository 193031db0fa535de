for i = 1, 1e6 do pcall(class, 'Bank.Nothing' .. i) end
