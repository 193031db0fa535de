while true do xpcall(error, pcall, function() while true do end end) end
