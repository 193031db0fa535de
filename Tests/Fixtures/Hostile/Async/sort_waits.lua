table.sort({3, 2, 1}, function(a, b) sleep(0.001) return a < b end)
