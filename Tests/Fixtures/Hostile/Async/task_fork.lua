local function f() task(f) task(f) end f() return 0
