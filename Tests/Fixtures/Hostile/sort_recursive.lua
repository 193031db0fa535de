local function c(a, b) table.sort({3, 2, 1, 5, 4}, c) return a < b end table.sort({2, 1}, c)
