for i = 1, 1e9 do collectgarbage('step') end
