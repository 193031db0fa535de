task(function() while true do end end) return 0
