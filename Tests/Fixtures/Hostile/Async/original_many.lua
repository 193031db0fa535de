for i = 1, 1e6 do self:ORIGready(i) end
