for i = 1, math.huge do if i then goto continue end ::continue:: end
