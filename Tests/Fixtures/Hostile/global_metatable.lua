return tostring(getmetatable(_G)) .. tostring(pcall(setmetatable, _G, {}))
