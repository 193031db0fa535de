local function f() all{f, f} end f()
