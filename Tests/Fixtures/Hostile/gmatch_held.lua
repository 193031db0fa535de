local it = ('a'):rep(1e6):gmatch('a-b') for i = 1, 1e6 do it() end
