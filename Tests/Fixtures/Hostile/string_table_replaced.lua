string.match = function() while true do end end string.format = error string.find = nil local x = undefined_name_of_nothing
