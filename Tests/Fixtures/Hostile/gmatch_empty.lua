for p in ('x'):rep(1e6):gmatch('()') do end
