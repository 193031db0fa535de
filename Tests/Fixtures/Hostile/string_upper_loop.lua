local s = ('x'):rep(2^20) while true do s = s:upper():lower():reverse() end
