local t = {} for i = 1, 62 do t[1 << i] = i end while true do t[#t + 1] = 1 end
