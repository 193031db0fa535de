local t = {} for i = 1, 2e4 do t[i] = {} end while true do table.sort(t, rawequal) end
