return select('#', string.unpack(('c0'):rep(5e5), ''))
