return #string.pack('!16' .. ('bXi16'):rep(1e5), 1)
