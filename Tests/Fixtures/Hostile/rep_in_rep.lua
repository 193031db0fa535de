local s = 'x' for i = 1, 1e6 do s = s:rep(2) end
