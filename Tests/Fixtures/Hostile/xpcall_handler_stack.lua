local function f() return 1 + f() end while true do xpcall(f, function(m) return f() end) end
