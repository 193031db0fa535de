-- What is collected where the C stack is at its end: weak references are in a list.
local held = {}
for i = 1, 300 do held[i] = weak(self) end
local function down()
  if not pcall(down) then
    held = nil
    for i = 1, 20000 do local garbage = {} end
  end
end
down()
for i = 1, 300 do local w = weak(self) end
for i = 1, 50000 do local garbage = {} end
return key
