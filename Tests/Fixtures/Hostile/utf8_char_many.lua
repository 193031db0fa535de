local t = {} for i = 1, 1e5 do t[i] = 0x10ffff end for i = 1, 1e6 do utf8.char(table.unpack(t)) end
