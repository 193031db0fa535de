while true do sleep(0) end
