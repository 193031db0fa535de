local keep = {} while true do pcall(function() local s = ('x'):rep(2^20) keep[#keep + 1] = s .. #keep end) end
