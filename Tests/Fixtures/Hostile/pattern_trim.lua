return (('x' .. (' '):rep(50000) .. 'x'):gsub('%s+$', ''))
