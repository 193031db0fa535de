while true do typeof(1) typeof({}) typeof('x') end
