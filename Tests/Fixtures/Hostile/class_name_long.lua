for i = 1, 1e6 do pcall(class, ("x."):rep(5e5)) end
