return #string.pack('c2147483647', 'x')
