continuation(function() end)
