while true do continuation(function(resume) resume() end) end
