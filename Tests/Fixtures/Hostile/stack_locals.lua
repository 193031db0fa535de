local function f(a, b, c, d, e, g, h) local x = f(a, b, c, d, e, g, h) return x end f()
