-- SPDX-License-Identifier: MIT
--
-- Random calls of functions of Lua's libraries: (seed, count) -> for each, what it was and what
-- came of it. The same in each state with the same libraries.

local seed <const>, count <const> = ...
local random = seed * 2862933555777941757 + 3037000493

local function below(n)
  random = random * 6364136223846793005 + 1442695040888963407
  return (random >> 33) % n
end

local function pick(list) return list[below(#list) + 1] end

local function optional(make) if below(2) == 0 then return make() end end

-- Values ------------------------------------------------------------------------------------------

local letters <const> = { "a", "a", "b", "ab", " ", "x", "1", ".", "(", ")", "\0", "A", "\200",
  "," }

local function text(most, of)
  local parts <const> = {}
  for _ = 1, below(most + 1) do parts[#parts + 1] = pick(of or letters) end
  return table.concat(parts)
end

local function subject()
  return below(30) == 0 and string.rep(text(3), below(200)) or text(24)
end

local numbers <const> = { 0, 1, 2, 3, 5, -1, -2, -5, 100, -100, math.maxinteger, math.mininteger,
  1.0, 2.5, "2", "x", false }

local function number() return pick(numbers) end

local values <const> = { 1, -1, 0, 3.5, 1e300, -1e-300, 1 / 0, -1 / 0, 0 / 0, math.maxinteger,
  math.mininteger, "abc", "", "a\0b", "12", "0x10", "1e2", "x\ny\"\\\1", true, false,
  "long text that is longer than others" }

--- Up to n values.
local function some(n, of)
  local list <const> = {}
  for i = 1, below(n + 1) do list[i] = pick(of) end
  return list
end

local function list_of_values()
  local list <const> = {}
  for i = 1, below(9) do list[i] = pick { i, 9 - i, "s" .. i, "", 2.5 } end
  if below(8) == 0 then list[below(9) + 1] = nil end
  return list
end

local function shown(...)
  local parts <const> = table.pack(...)
  for i = 1, parts.n do
    local value <const> = parts[i]
    local kind <const> = math.type(value) or type(value)
    if kind == "string" then
      parts[i] = string.format("%q", value)
    elseif kind == "float" then
      parts[i] = string.format("%a", value)
    elseif kind == "table" or kind == "function" or kind == "userdata" then
      parts[i] = kind
    else
      parts[i] = tostring(value)
    end
  end
  return table.concat(parts, ", ", 1, parts.n)
end

-- Patterns ----------------------------------------------------------------------------------------

local characters <const> = { "a", "b", "c", "A", "1", " ", "(", ")", "[", "]", "%", ".", "-", "^",
  "$", "\0", "\n", "\255", "é", "_", "ab", "aa" }

local items <const> = { ".", "%a", "%s", "%w", "%d", "%p", "%l", "%u", "%c", "%x", "%g", "%A", "%S",
  "%W", "%z", "%Z", "%%", "%.", "%(", "%b()", "%bxy", "%baa", "%f[%w]", "%f[^a]", "%f[%z]", "%1",
  "%2", "%3", "%0", "[ab]", "[^,]", "[^%s,]", "[[]", "[]-a]", "[a-c-e]", "[^%w%s]", "()()",
  "a,", "%j", "%B", "%f[]]", "%b%%", "%b\0a", "[^ab]", "[a-c]", "[%w_]", "[]]", "[^]]", "[a-]",
  "[-a]", "[%a-z]", "[a%]", "[%]]", "()", "(a)", "(.-)", "(a*)", "(.)", "a", "b", "x",
  " ", "1", "(", ")", "$", "^", "%", "[", "]", "-", "*", "+", "?", "%b", "%f", "%f[", "[a-%%]",
  "[%d-x]", "\0", "[\0-\255]" }

local tails <const> = { "", "", "", "", "*", "+", "-", "?" }

local function pattern()
  if below(12) == 0 then return text(8, characters) end
  local parts <const> = { pick { "", "", "", "^" } }
  for _ = 1, below(7) do
    local item <const> = pick(items) .. pick(tails)
    parts[#parts + 1] = below(6) == 0 and "(" .. item .. ")" or item
  end
  parts[#parts + 1] = pick { "", "", "", "$" }
  return table.concat(parts)
end

local function replacement_text()
  return text(4, { "%0", "%1", "%2", "%%", "x", "%", "%a", "%3", "" })
end

local function replacement_table()
  return { a = "1", b = 2, ab = false, [1] = "one", [""] = "e", x = true, A = {} }
end

local function replacement_function()
  local what <const> = below(6)
  return function(...)
    if what == 0 then return nil end
    if what == 1 then return false end
    if what == 2 then return select("#", ...) .. tostring((...)) end
    if what == 3 then return 42 end
    if what == 4 then return ... end
    return {}
  end
end

local replacements <const> = { replacement_text, replacement_table, replacement_function, number }

-- Formats -----------------------------------------------------------------------------------------

local conversions <const> = { "d", "i", "u", "c", "x", "X", "o", "e", "E", "f", "F", "g", "G", "a",
  "A", "q", "s", "%", "z", "" }

local flags <const> = { "", "", "", "", "-", "+", " ", "#", "0", "5", "10", "99", "100", ".3", ".0",
  ".", "5.2", ".99", ".100", "-10.3", "05", "--", "+-# 0", "0000000" }

local function format()
  local parts <const> = {}
  for _ = 1, below(5) do
    parts[#parts + 1] = pick { "", "x", "y %% ", "\0" } .. "%" .. pick(flags) .. pick(conversions)
  end
  return table.concat(parts) .. pick { "", "", "end" }
end

local packings <const> = { "b", "B", "h", "H", "i", "I", "l", "j", "J", "T", "f", "d", "n", "i1",
  "i3", "i7", "i16", "i17", "I0", "s", "s1", "s2", "z", "x", "X", "Xi4", "!", "!4", "!3", ">", "<",
  "=", " ", "c0", "c3", "c10", "c", "r", "s20", "Xz" }

local function packing() return text(5, packings) end

-- Cases -------------------------------------------------------------------------------------------

-- Each gives the call, and what it is called with.
local cases <const> = {}

--- A case that calls one function with arguments that are made one by one; nil makes nil.
local function plain(library, name, ...)
  local makers <const> = table.pack(...)
  cases[name] = function()
    local arguments <const> = { n = makers.n }
    for i = 1, makers.n do arguments[i] = makers[i]() end
    return function()
      return pcall(library[name], table.unpack(arguments, 1, arguments.n))
    end, table.unpack(arguments, 1, arguments.n)
  end
end

local function maybe_number() return optional(number) end
local function maybe_flag() return optional(function() return below(2) == 0 end) end
local function any_replacement() return pick(replacements)() end
local function few_times() return pick { 0, 1, 2, 7, 100, -1, 2.0, 2.5, "3" } end
local function short_text() return text(4) end
local function maybe_short_text() return optional(short_text) end
local function utf8_text()
  return pick { text(8), "aé漢😀", "\xff\x80", "é" .. text(3), "\u{7fffffff}x" }
end
local function small() return below(11) - 1 end
local function maybe_small() return optional(small) end

plain(string, "find", subject, pattern, maybe_number, maybe_flag)
plain(string, "match", subject, pattern, maybe_number)
plain(string, "gsub", subject, pattern, any_replacement, maybe_number)
plain(string, "rep", short_text, few_times, maybe_short_text)
plain(string, "unpack", packing, subject, maybe_number)
plain(string, "byte", subject, maybe_number, maybe_number)
plain(string, "sub", subject, maybe_number, maybe_number)
plain(string, "upper", subject)
plain(string, "lower", subject)
plain(string, "reverse", subject)
plain(utf8, "len", utf8_text, maybe_number, maybe_number, maybe_flag)
plain(utf8, "offset", utf8_text, maybe_number, maybe_number)
plain(utf8, "codepoint", utf8_text, maybe_number, maybe_number)
plain(_G, "tonumber", function()
  return pick { "10", " 0x1p4 ", "z", "1e1", "", " ", "0x", "7fffffffffffffff", "-5", 3, "1 2" }
end, maybe_number)
plain(table, "concat", function()
  local list <const> = list_of_values()
  if below(10) == 0 then list[2] = {} end
  return list
end, maybe_short_text, maybe_small, maybe_small)

--- Patterns of so many items that they come to limits: of captures, and of how deep they are.
function cases.deep()
  local item <const>, other <const> = pick { ".?", "a*", "a-", "b?", "(a)", "(a?)", "()", "a" },
    pick { "", "", ".?", "b*", ")", "[" }
  local times <const> = pick { 15, 31, 32, 33, 65, 99, 100, 132, 133, 134, 190, 198, 199, 200,
    201, 300 }
  local s <const> = string.rep("a", below(310)) .. pick { "", "b" }
  local p <const> = pick { "", "^" } .. string.rep(item, times) .. other
  local f <const> = pick { string.find, string.match }
  return function() return pcall(f, s, p) end, item, other, times, s
end

function cases.gmatch()
  local s <const>, p <const>, i <const> = subject(), pattern(), maybe_number()
  local function all()
    local found <const> = {}
    for a, b, c in string.gmatch(s, p, i) do
      found[#found + 1] = shown(a, b, c)
      if #found > 300 then break end
    end
    return table.concat(found, ";")
  end
  return function() return pcall(all) end, s, p, i
end

function cases.codes()
  local s <const>, lax <const> = utf8_text(), maybe_flag()
  local function all()
    local found <const> = {}
    for place, code in utf8.codes(s, lax) do found[#found + 1] = place .. ":" .. code end
    return table.concat(found, " ")
  end
  return function() return pcall(all) end, s, lax
end

function cases.format()
  local f <const>, arguments <const> = format(), some(6, values)
  return function() return pcall(string.format, f, table.unpack(arguments)) end, f,
    table.unpack(arguments)
end

function cases.pack()
  local f <const>, arguments <const> = packing(), some(6, values)
  return function()
    local made <const>, bytes <const> = pcall(string.pack, f, table.unpack(arguments))
    if not made then return made, bytes end
    return bytes, pcall(string.packsize, f), pcall(string.unpack, f, bytes)
  end, f, table.unpack(arguments)
end

function cases.char()
  local codes <const> = some(5, { 0, 65, 97, 255, 256, -1, "66", 1.5 })
  return function() return pcall(string.char, table.unpack(codes)) end, table.unpack(codes)
end

local operators <const> = {
  function(a, b) return a + b end, function(a, b) return a - b end,
  function(a, b) return a * b end, function(a, b) return a / b end,
  function(a, b) return a // b end, function(a, b) return a % b end,
  function(a, b) return a ^ b end, function(a) return -a end,
}

function cases.arithmetic()
  local a <const>, b <const>, operator <const> = pick(values), pick(values), below(#operators) + 1
  return function() return pcall(operators[operator], a, b) end, a, b, operator
end

--- What a function comes to, and what the table looks like then.
local function changed(list, f, ...)
  local results <const> = table.pack(pcall(f, ...))
  local parts <const> = {}
  for i = -2, 14 do parts[#parts + 1] = tostring(list[i]) end
  results[results.n + 1] = table.concat(parts, "/")
  return table.unpack(results, 1, results.n + 1)
end

function cases.insert()
  local list <const>, place <const>, how <const> = list_of_values(), pick { 1, 2, 3, 0, -1, 20, "2",
    "x", 1.5 }, below(4)
  return function()
    if how == 0 then return changed(list, table.insert, list, place) end
    if how == 1 then return changed(list, table.insert, list, place, "new", 1) end
    return changed(list, table.insert, list, place, "new")
  end, place, how
end

function cases.remove()
  local list <const>, place <const> = list_of_values(), maybe_number()
  return function() return changed(list, table.remove, list, place) end, place
end

function cases.move()
  local list <const>, other <const> = list_of_values(), list_of_values()
  local from, last, to = below(12) - 3, below(12) - 3, below(12) - 3
  if below(20) == 0 then from, last = math.mininteger, 5 end
  if below(20) == 0 then from, last, to = 1, math.maxinteger, 2 end
  local target <const> = below(2) == 0 and other or nil
  return function()
    return changed(target or list, table.move, list, from, last, to, target)
  end, from, last, to, target
end

function cases.unpacked()
  local list <const>, last <const> = list_of_values(), optional(function() return below(12) end)
  local from = maybe_number()
  if from == math.mininteger then from = 0 end
  return function() return pcall(table.unpack, list, from, last) end, from, last
end

local orders <const> = { false, function(a, b) return a > b end, function() return true end, 3 }

-- Of elements that are equal nobody can tell which is which.
local elements <const> = {
  function() return below(50) end,
  function() return (below(50) - 25) / 4 end,
  function() return pick { below(50), below(50) + 0.5 } end,
  function() return text(3) end,
}

function cases.sort()
  local list <const>, order <const>, element <const> = {}, below(#orders) + 1, pick(elements)
  for i = 1, below(200) do list[i] = element() end
  if below(20) == 0 then list[below(#list + 1) + 1] = "x" end
  return function()
    local done <const>, message <const> = pcall(table.sort, list, orders[order] or nil)
    -- Where there is no order, any will do.
    if done and order == 3 then table.sort(list, function(a,
      b) return tostring(a) < tostring(b) end) end
    if done then return table.concat(list, " ") end
    -- Which of two values are compared first is nobody's affair.
    return (string.gsub(tostring(message), "compare %a+ with %a+", "compare"))
  end, #list, order
end

function cases.protected()
  local how <const>, value <const> = below(5), pick(values)
  return function()
    if how == 0 then return pcall(error, value, 0) end
    if how == 1 then return xpcall(error, function(m) return "h:" .. tostring(m) end, value, 0) end
    if how == 2 then return pcall(pcall) end
    if how == 3 then return pcall(xpcall, error, value) end
    return xpcall(function(...) return select("#", ...), ... end, error, value, nil)
  end, how, value
end

-- Running them ------------------------------------------------------------------------------------

local names <const> = {}
for name in next, cases do names[#names + 1] = name end
table.sort(names)
local often <const> = { "find", "match", "gmatch", "gsub", "gsub", "find", "match" }

local outcomes <const> = {}
for i = 1, count do
  local name <const> = below(2) == 0 and pick(often) or pick(names)
  local made <const> = table.pack(cases[name]())
  outcomes[i] = name .. "(" .. shown(table.unpack(made, 2, made.n)) .. ") -> " .. shown(made[1]())
end
return outcomes
