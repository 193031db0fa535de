continuation(function(resume) resume() for i = 1, 1e6 do pcall(resume) end end) return 0
