while true do sleep(0.001) end
