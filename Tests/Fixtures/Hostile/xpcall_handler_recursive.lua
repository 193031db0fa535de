local function h(e) return xpcall(error, h, e) end xpcall(error, h, 1)
