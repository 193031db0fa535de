local l = {} for i = 1, 2e5 do l[i] = 1e308 end return #string.format(('%99.99f'):rep(2e5 // 1 | 0), table.unpack(l))
