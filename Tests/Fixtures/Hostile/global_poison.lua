local keep = pcall for k in pairs(_G) do _G[k] = nil end for i = 1, 10 do keep(print, 'x') end
