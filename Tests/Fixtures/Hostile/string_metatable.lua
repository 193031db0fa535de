local mt = getmetatable('') mt.__index = nil return ('x'):len()
