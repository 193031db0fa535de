-- SPDX-License-Identifier: MIT
--
-- `table.sort` and the other functions of `table`. The cases follow `sort.lua` and `nextvar.lua` of
-- the official test suite of Lua 5.4 (MIT), without what a sandbox does not have. Returns what
-- failed, a line each.

local failures <const> = {}

local function test(name, body)
  local passed <const>, message <const> = pcall(body)
  if not passed then failures[#failures + 1] = name .. ": " .. tostring(message) end
end

local function fails(message, f, ...)
  local passed <const>, found <const> = pcall(f, ...)
  if passed then error("no error: " .. message, 2) end
  if not string.find(found, message, 1, true) then error("found: " .. found, 2) end
end

local function check(list, is_less)
  is_less = is_less or function(a, b) return a < b end
  for i = #list, 2, -1 do assert(not is_less(list[i], list[i - 1])) end
end

--- Numbers that look random, the same each time.
local function randoms(count, limit)
  local list <const>, state = {}, 42
  for i = 1, count do
    state = (state * 1103515245 + 12345) % 2147483648
    list[i] = (state >> 8) % limit
  end
  return list
end

--- As proxies of tables are.
local function behind(list)
  return setmetatable({}, {
    __len = function() return #list end,
    __index = function(_, i) return list[i] end,
    __newindex = function(_, i, value) list[i] = value end,
  })
end

-- Sorting -----------------------------------------------------------------------------------------

local months <const> = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
  "Nov", "Dec" }

test("names", function()
  local list <const> = table.move(months, 1, 12, 1, {})
  table.sort(list)
  check(list)
  assert(table.concat(list, " ") == "Apr Aug Dec Feb Jan Jul Jun Mar May Nov Oct Sep")
  table.sort(list, function(a, b) return a > b end)
  check(list, function(a, b) return a > b end)
end)

test("all permutations of a few", function()
  local function permute(list, n, visit)
    if n == 0 then return visit(list) end
    for i = 1, n do
      list[i], list[n] = list[n], list[i]
      permute(list, n - 1, visit)
      list[i], list[n] = list[n], list[i]
    end
  end
  local sets <const> = { { 1, 2, 3, 3, 5 }, { 1, 2, 3, 4, 5 }, { 1, 1, 2, 2 }, { "a", "b", "c" } }
  for _, values in ipairs(sets) do
    permute(table.move(values, 1, #values, 1, {}), #values, function(list)
      local sorted <const> = table.move(list, 1, #list, 1, {})
      table.sort(sorted)
      for i = 1, #values do assert(sorted[i] == values[i]) end
    end)
  end
end)

test("many, of every kind", function()
  for _, count in ipairs { 0, 1, 2, 3, 7, 8, 9, 99, 100, 101, 5000 } do
    local list <const> = randoms(count, 1000)
    table.sort(list)
    check(list)
    table.sort(list) -- again
    check(list)
    table.sort(list, function(a, b) return b < a end)
    check(list, function(a, b) return b < a end)
    local floats <const>, mixed <const>, texts <const> = {}, {}, {}
    for i, number in ipairs(randoms(count, 997)) do
      floats[i] = (number - 500) / 8
      mixed[i] = number % 2 == 0 and number or number + 0.5
      texts[i] = string.rep("x", number % 3) .. "\0" .. number
    end
    table.sort(floats)
    table.sort(mixed)
    table.sort(texts)
    check(floats)
    check(mixed)
    check(texts)
  end
end)

test("the largest and the least numbers", function()
  local list = { 0, math.maxinteger, -1, math.mininteger, 1 }
  table.sort(list)
  assert(list[1] == math.mininteger and list[2] == -1 and list[5] == math.maxinteger)
  list = { 0.0, 1 / 0, -1.5, -1 / 0, -0.0, 5e-324, -5e-324 }
  table.sort(list)
  check(list)
  assert(list[1] == -1 / 0 and list[3] == -5e-324 and list[6] == 5e-324 and list[7] == 1 / 0)
  list = { 3.5, 0 / 0, 1.5, 2.5 }
  table.sort(list)
  assert(#list == 4)
end)

test("all are the same", function()
  local list <const> = {}
  for i = 1, 500 do list[i] = false end
  local calls = 0
  table.sort(list, function() calls = calls + 1 return nil end)
  check(list, function() return false end)
  assert(calls > 0)
end)

test("metamethods compare", function()
  local order <const> = { __lt = function(a, b) return a.value < b.value end }
  local list <const> = {}
  for i, number in ipairs(randoms(200, 50)) do list[i] = setmetatable({ value = number }, order) end
  table.sort(list)
  check(list)
end)

test("metamethods give the elements", function()
  local list <const> = randoms(300, 77)
  table.sort(behind(list))
  check(list)
  table.sort(behind(list), function(a, b) return a > b end)
  check(list, function(a, b) return a > b end)
end)

test("errors", function()
  fails("invalid order function for sorting", table.sort, { 1, 2, 3, 4 },
    function() return true end)
  fails("attempt to compare", table.sort, { 1, "x", 2 })
  fails("attempt to compare", table.sort, { {}, {} })
  fails("mine", table.sort, { 1, 2 }, function() error("mine") end)
  fails("function expected, got string", table.sort, { 1, 2 }, "x")
  fails("table expected, got number", table.sort, 1)
  fails("array too big", table.sort, setmetatable({},
    { __len = function() return math.maxinteger end }))
  table.sort({ 1 }, "not looked at")
end)

test("an order that is none comes to an end, and loses nothing", function()
  for seed = 1, 20 do
    local list <const>, answers <const>, at = randoms(200, 1000), randoms(7919, 2), seed * 100
    pcall(table.sort, list, function()
      at = at % #answers + 1
      return answers[at] == 1
    end)
    table.sort(list)
    local expected <const> = randoms(200, 1000)
    table.sort(expected)
    assert(table.concat(list, " ") == table.concat(expected, " "))
  end
end)

-- Other functions ---------------------------------------------------------------------------------

test("insert and remove", function()
  local list <const> = { "a" }
  table.insert(list, "c")
  table.insert(list, 2, "b")
  table.insert(list, 1, "x")
  table.insert(list, 5, "y")
  assert(table.concat(list) == "xabcy")
  assert(table.remove(list, 1) == "x" and table.remove(list) == "y"
    and table.remove(list, 2) == "b")
  assert(table.remove(list, 3) == nil and table.concat(list) == "ac")
  fails("position out of bounds", table.insert, list, 0, 20)
  fails("position out of bounds", table.insert, list, 4, 20)
  fails("position out of bounds", table.insert, list, -1, 20)
  fails("wrong number of arguments to 'insert'", table.insert, list)
  fails("wrong number of arguments to 'insert'", table.insert, list, 1, 2, 3)
  fails("position out of bounds", table.remove, list, -1)
  fails("position out of bounds", table.remove, list, 4)
  local none <const> = { [0] = "ban" }
  assert(table.remove(none) == "ban" and none[0] == nil and table.remove(none, 1) == nil)
  local kept <const> = {}
  local proxy <const> = behind(kept)
  for i = 1, 10 do table.insert(proxy, 1, i) end
  assert(#kept == 10 and kept[1] == 10 and table.remove(proxy, 1) == 10 and #kept == 9)
end)

test("move", function()
  local function moved(list, from, last, to, target)
    return table.concat(table.move(list, from, last, to, target), ",", 1)
  end
  assert(moved({ 10, 20, 30 }, 1, 3, 2) == "10,10,20,30")
  assert(moved({ 10, 20, 30 }, 1, 3, 3) == "10,20,10,20,30")
  assert(moved({ 10, 20, 30, 40 }, 1, 4, 2, { 10 }) == "10,10,20,30,40")
  assert(moved({ 10, 20, 30 }, 2, 3, 1) == "20,30,30")
  assert(moved({ 10, 20, 30 }, 2, 1, 3) == "10,20,30")
  assert(table.move({ 1 }, 1, 1, math.maxinteger)[math.maxinteger] == 1)
  assert(table.move({ [math.mininteger] = 5 }, math.mininteger, math.mininteger, 0)[0] == 5)
  fails("too many elements to move", table.move, {}, 0, math.maxinteger, 1)
  fails("too many elements to move", table.move, {}, -1, math.maxinteger, 1)
  fails("destination wrap around", table.move, {}, 1, math.maxinteger, 2)
  fails("destination wrap around", table.move, {}, 1, math.maxinteger - 2, math.maxinteger)
  fails("table expected, got number", table.move, {}, 1, 2, 3, 4)
  local target <const> = {}
  table.move(behind { 1, 2, 3 }, 1, 3, 2, behind(target))
  assert(target[2] == 1 and target[4] == 3)
end)

test("concat", function()
  assert(table.concat {} == "" and table.concat({}, "x") == "")
  assert(table.concat({ "\0", "\0\1", "\0\1\2" }, ".\0.") == "\0.\0.\0\1.\0.\0\1\2")
  local list <const> = {}
  for i = 1, 300 do list[i] = "xuxu" end
  assert(table.concat(list, "123") .. "123" == ("xuxu123"):rep(300))
  assert(table.concat(list, "b", 20, 20) == "xuxu" and table.concat(list, "", 20, 21) == "xuxuxuxu")
  assert(table.concat(list, "x", 22, 21) == "" and table.concat(list, "3", 299) == "xuxu3xuxu")
  assert(table.concat({}, "x", math.maxinteger, math.maxinteger - 1) == "")
  assert(table.concat({}, "x", math.mininteger + 1, math.mininteger) == "")
  assert(table.concat({ [math.maxinteger] = "alo" }, "x", math.maxinteger,
    math.maxinteger) == "alo")
  assert(table.concat({ 1, 2.5, "x" }, " ") == "1 2.5 x"
    and table.concat(behind { 1, 2 }, "-") == "1-2")
  fails("invalid value (table) at index 2 in table for 'concat'", table.concat, { "a", {} })
  fails("invalid value (nil) at index 3 in table for 'concat'", table.concat, { "a", "b" }, "",
    1, 3)
end)

test("pack and unpack", function()
  local packed <const> = table.pack(1, nil, 3, nil)
  assert(packed.n == 4 and packed[1] == 1 and packed[3] == 3 and table.pack().n == 0)
  local a, b, c = table.unpack { 1, 2 }
  assert(a == 1 and b == 2 and c == nil and select("#", table.unpack({}, 1, 3)) == 3)
  assert(select("#", table.unpack({ 1, 2 }, 2, 1)) == 0)
  local list <const> = randoms(250, 9)
  assert(select("#", table.unpack(list)) == 250 and select(250, table.unpack(list)) == list[250])
  a, b = table.unpack({ [math.maxinteger - 1] = 1, [math.maxinteger] = 2 }, math.maxinteger - 1,
    math.maxinteger)
  assert(a == 1 and b == 2)
  assert(table.unpack({}, math.mininteger, math.mininteger) == nil)
  fails("too many results to unpack", table.unpack, {}, 0, math.maxinteger)
  fails("too many results to unpack", table.unpack, {}, math.mininteger, math.maxinteger)
  fails("too many results to unpack", table.unpack, {}, 1, 2000000000)
end)

return table.concat(failures, "\n")
