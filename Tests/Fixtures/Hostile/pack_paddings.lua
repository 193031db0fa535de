return #string.pack(('c1048576'):rep(1000), table.unpack((function() local l = {} for i = 1, 1000 do l[i] = '' end return l end)()))
