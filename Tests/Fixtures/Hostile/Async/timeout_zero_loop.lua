while true do pcall(timeout, 0, sleep, 60) end
