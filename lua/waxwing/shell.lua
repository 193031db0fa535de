-- SPDX-License-Identifier: MIT
--
-- What the shells of `waxwing run` and `waxwing shell` have in Lua: values for people to read,
-- help, names to complete.

---@class waxwing.Inner  of the prelude's
---@field environment table
---@field is_attached boolean?  the shell is elsewhere: what is printed goes there
---@field host waxwing.Host
---@field find_global fun(name: string): any  the type object of a type or module of this name
---@field is_type_object fun(value: any): boolean
local inner <const> = _G["waxwing.inner"]
_G["waxwing.inner"] = nil

local environment <const>, host <const> = inner.environment, inner.host

-- Output ----------------------------------------------------------------------------------------

--- Shows a line to whoever types.
local function say(...) print(...) end

if inner.is_attached then
  --- Bytes that one piece of a script may print.
  local most_printed <const> = 65536
  local to_log <const> = environment.print
  ---@type string[]?
  local lines
  local size = 0

  --- What is printed while a piece runs is for the shell, all else for the log.
  function say(...)
    if not lines then return to_log(...) end
    local parts <const> = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    local line <const> = table.concat(parts, "\t")
    if size > most_printed then return end
    size = size + #line + 1
    lines[#lines + 1] = size > most_printed and "… the output is cut here" or line
  end
  environment.print = say

  _G["waxwing.begin"] = function() lines, size = {}, 0 end

  --- What has been printed since it began.
  _G["waxwing.printed"] = function()
    local text <const> = table.concat(lines or {}, "\n")
    lines = nil
    return text
  end
end

-- Values ----------------------------------------------------------------------------------------

local most_elements <const>, longest <const> = 40, 2000

--- Cut between characters, with a word on what is missing.
local function bounded(text)
  if #text <= longest then return text end
  local cut = longest
  while cut > 0 and (string.byte(text, cut + 1) or 0) & 0xC0 == 0x80 do cut = cut - 1 end
  return string.format("%s… (%d bytes)", string.sub(text, 1, cut), #text)
end

local display

local function key_text(key, depth)
  if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then return key end
  return "[" .. display(key, depth) .. "]"
end

--- A table's elements in order, then what has other keys, by key.
local function table_text(value, depth)
  local elements <const>, others <const>, is_whole = {}, {}, true
  local count <const> = type(value) == "table" and #value or 0
  for i = 1, math.min(count, most_elements) do elements[i] = display(value[i], depth + 1) end
  for key, element in pairs(value) do
    local is_shown <const> = math.type(key) == "integer" and key >= 1 and key <= count
    is_whole = #elements + #others < most_elements or (is_shown and count <= most_elements)
    if not is_whole then break end
    if not is_shown then
      others[#others + 1] = key_text(key, depth + 1) .. " = " .. display(element, depth + 1)
    end
  end
  if type(value) == "table" then table.sort(others) end
  table.move(others, 1, #others, #elements + 1, elements)
  if not is_whole then elements[#elements + 1] = "…" end
  return "{" .. table.concat(elements, ", ") .. "}"
end

--- A value for people to read: of tables and live collections what is in them.
function display(value, depth)
  if type(value) == "string" then
    return bounded(depth > 0 and string.format("%q", value) or value)
  end
  local text <const> = type(value) ~= "table" and tostring(value)
  if text and not (type(value) == "userdata" and string.find(text, "^live ")) then return text end
  -- Without a count it is an object's, and another thread of the program may be changing it.
  if text and inner.is_attached and not string.find(text, " %(%d+%)$") then return text end
  if not text and getmetatable(value) ~= nil then return tostring(value) end
  if depth > 2 then return "{…}" end
  return (text and text .. " " or "") .. table_text(value, depth)
end

--- Runs what was typed and prints what it returns. The first result is not an expression's: with
--- it, the chunk's call of a function is no tail call, which would be missing in tracebacks.
_G["waxwing.show"] = function(chunk)
  local results <const> = table.pack(chunk())
  for i = 2, results.n do results[i] = display(results[i], 0) end
  if results.n > 1 then say(host.visible(table.concat(results, "\t", 2))) end
end

-- Help ------------------------------------------------------------------------------------------

local attached_text <const> = [[
Lua 5.4 inside the program, with Swift's names:

  Account                          a type; class "Bank.Account" if the name is not enough
  typeof(Account), typeof(value)   what a type, a value or a module has
  typeof(value, "path")            those of its members that match
  Account.shared:total()           calls it; self.total reads a property
  function Account:deposit(n)      overrides a method, from now on: each line of it
    return self:ORIGdeposit(n)     needs its end before it runs
  end
  Account.deposit = nil            ends that override
  live(object).items               a collection itself, not a copy

What an expression gives is shown. A line that is incomplete goes on in the next. Globals stay,
locals end with their line. All overrides end with the shell. Tab completes names; Ctrl-D or exit
ends. docs/patching.md is the guide.]]

local help_text <const> = inner.is_attached and attached_text or [[
Lua 5.4 with Swift's names:

  import "Foundation"              loads a library; types are known by their names
  url = URL("https://a.b/c")       calls an initializer
  NSNumber.init_value(5)           the one with this label
  url.host                         reads a property
  url:appendingPathComponent("x")  calls a method
  Calendar.current, Int.max        static members
  String.uppercased("text")        a Swift method of a Lua value
  typeof(url)                      what a value, a type or a module has
  typeof(url, "path")              those of its members that match
  objects()                        which Swift objects and values are held

What an expression gives is shown. A line that is incomplete goes on in the next. Globals stay,
locals end with their line. Tab completes names; Ctrl-C stops what runs; Ctrl-D or exit() ends.
docs/patching.md is the guide.]]

--- `help` by itself, `help()`, and `help(x)` for what x has.
environment.help = setmetatable({}, {
  __metatable = false,
  __name = "help",
  __tostring = function() return help_text end,
  __call = function(_, ...)
    if select("#", ...) == 0 then return say(help_text) end
    say(display(environment.typeof(...), 0))
  end,
})

-- Names to complete -----------------------------------------------------------------------------

local function add(names, name, start)
  if type(name) == "string" and string.find(name, "^[%a_][%w_]*$")
    and string.sub(name, 1, #start) == start then names[name] = true end
end

--- The names of the members in a list of declarations, static or not.
local function add_members(names, members, start, is_static, kinds)
  for _, member in ipairs(members) do
    local rest <const> = string.match(member, "^static (.*)") or string.match(member, "^case .*")
    if (rest ~= nil) == is_static then
      local declared <const> = string.gsub(rest or member, "^unowned ", "")
      local word <const>, name <const> = string.match(
        string.gsub(declared, "^weak ", ""), "^(%a+) ([%w_]+)")
      if word and kinds[word] then add(names, name, start) end
    end
  end
end

local all_kinds <const> = { var = true, let = true, func = true, case = true }
local methods_only <const> = { func = true }
local types_too <const> = {
  var = true, let = true, func = true, case = true, struct = true, class = true, enum = true,
  protocol = true, type = true,
}

local function global_names(start)
  local names <const> = {}
  for name in next, environment do add(names, name, start) end
  if #start > 1 then
    for _, name in ipairs(host.globals(start)) do add(names, name, start) end
  end
  return names
end

--- The script's globals, a line each.
_G["waxwing.globals"] = function()
  local names <const> = {}
  for name in next, environment do
    if type(name) == "string" then names[#names + 1] = name end
  end
  table.sort(names)
  return table.concat(names, "\n")
end

--- What stands before the last separator; only globals, tables and type objects are looked into, so
--- that nothing of the program's runs.
local function owner(path)
  local value
  for name in string.gmatch(path, "[^.:]+") do
    if value == nil then
      value = rawget(environment, name)
      if value == nil then value = inner.find_global(name) end
    elseif inner.is_type_object(value) then
      local found <const>, nested <const> = pcall(function() return value[name] end)
      value = found and inner.is_type_object(nested) and nested or nil
    else
      value = type(value) == "table" and rawget(value, name) or nil
    end
    if value == nil then return nil end
  end
  return value
end

local function member_names(value, separator, start)
  local names <const> = {}
  if type(value) == "string" then value = string end
  if type(value) == "table" and not inner.is_type_object(value) then
    for name in next, value do add(names, name, start) end
    return names
  end
  local listing <const> = environment.typeof(value)
  if type(listing) ~= "table" then return names end
  local is_type_object <const> = inner.is_type_object(value)
  if is_type_object and listing.kind ~= "module" then
    add_members(names, listing.members, start, true, all_kinds)
  end
  local kinds = is_type_object and types_too or separator == ":" and methods_only or all_kinds
  add_members(names, listing.members, start, false, kinds)
  return names
end

--- What a word that was begun may be: whole words, sorted.
_G["waxwing.complete"] = function(text)
  local path <const>, separator <const>, start <const> = string.match(
    text, "^(.*)([.:])([%w_]*)$")
  local names = {}
  if not path then
    names = global_names(text)
  else
    local found <const>, value <const> = pcall(owner, path)
    if found and value ~= nil then names = member_names(value, separator, start) end
  end
  local words <const> = {}
  for name in pairs(names) do
    words[#words + 1] = path and path .. separator .. name or name
  end
  table.sort(words)
  return table.unpack(words, 1, math.min(#words, 200))
end
