for i = 1, 1e6 do pcall(function() return _G['undefined' .. i] end) end
