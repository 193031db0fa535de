while true do pcall(sleep, 60) end
