local r task(function() for i = 1, 1e6 do pcall(r, i) end end) return continuation(function(resume) r = resume end)
