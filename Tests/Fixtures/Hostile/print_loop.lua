while true do print('spam') end
