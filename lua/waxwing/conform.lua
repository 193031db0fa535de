-- SPDX-License-Identifier: MIT
--
-- `conform`: lets a class conform to a protocol.

-- `type_object_name` gives the name of the type that a table stands for, "#3" for a class of the
-- script's.
local host <const>, type_object_name <const>, check_name <const> = ...

local kinds <const> = { get = "getter", set = "setter" }

--- A function that a script gives for a requirement.
---@class waxwing.GivenFunction
---@field kind "method"|"getter"|"setter"
---@field static boolean
---@field name string
---@field f function

--- Adds what a table gives for requirements to `given`.
---@param given waxwing.GivenFunction[]
local function collect(members, is_static, given, level)
  local function add(kind, name, f)
    given[#given + 1] = { kind = kind, static = is_static, name = name, f = f }
  end
  for name, value in pairs(members) do
    check_name(name, level + 1)
    local kind <const> = kinds[name]
    if type(value) == "function" then
      add("method", name, value)
    elseif type(value) == "table" and name == "static" and not is_static then
      collect(value, true, given, level + 1)
    elseif type(value) == "table" and kind then
      for property, f in pairs(value) do
        check_name(property, level + 1)
        if type(f) ~= "function" then
          error(string.format("%s.%s is a function, not a %s", name, property, type(f)), level + 1)
        end
        add(kind, property, f)
      end
    else
      error(string.format("what conform gives for `%s` is a function, not a %s", name, type(value)),
        level + 1)
    end
  end
end

--- The types that a table gives for associated types, in the order of these.
local function named_types(types)
  if type(types) ~= "table" then
    error(string.format("`types` is a table, { Element = \"Int\" }, not a %s", type(types)), 3)
  end
  local named <const> = {}
  for name, value in pairs(types) do
    if type(value) == "table" then value = type_object_name(value) end
    if type(value) ~= "string" then
      error(string.format("the type for `%s` is a name or a class", name), 3)
    end
    named[#named + 1] = { name = name, type = value }
  end
  table.sort(named, function(a, b) return a.name < b.name end)
  return named
end

-- What is done for a requirement that the class itself has a member for, by its name.
local forwards <const> = {
  method = function(name)
    return function(self, ...) return self[name](self, ...) end
  end,
  getter = function(name)
    return function(self) return self[name] end
  end,
  setter = function(name)
    return function(self, value) self[name] = value end
  end,
  initializer = function()
    return function(class, ...) return class(...) end
  end,
  hash = function()
    return host.hash_value
  end,
  static_method = function(name)
    return function(class, ...) return class[name](class, ...) end
  end,
  static_getter = function(name)
    return function(class) return class[name] end
  end,
  static_setter = function(name)
    return function(class, value) class[name] = value end
  end,
}

local options_known <const> = { types = true }

-- Names for several protocols at once, and what is left out for each: the functions of the others.
local compositions <const> = {
  Codable = { { "Swift.Encodable", "^init" }, { "Swift.Decodable", "^encode" } },
}
compositions["Swift.Codable"] = compositions.Codable

local function comes_before(a, b)
  if a.static ~= b.static then return b.static end
  if a.kind ~= b.kind then return a.kind < b.kind end
  return a.name < b.name
end

--- Declares a conformance, or those that a name stands for.
---@param given waxwing.GivenFunction[]
---@param types table[]  what `named_types` makes
---@param is_lenient boolean?  functions that are no requirements are left alone
local function declare(name, protocol, given, types, is_lenient)
  if compositions[protocol] then
    for _, part in ipairs(compositions[protocol]) do
      local own <const> = {}
      for _, each in ipairs(given) do
        if not string.find(each.name, part[2]) then own[#own + 1] = each end
      end
      declare(name, part[1], own, types, is_lenient)
    end
    return
  end
  table.sort(given, comes_before)
  local members <const> = {}
  for place, each in ipairs(given) do
    members[place] = { kind = each.kind, static = each.static, name = each.name }
  end
  local number <const>, needed <const> = host.conform({ type = name, protocol = protocol,
    members = members, types = types, is_lenient = is_lenient == true })
  for _, each in ipairs(needed) do
    local own <const> = given[each.given]
    host.witness(number, each.place, own and own.f or forwards[each.forward](each.name))
  end
end

--- Lets a class conform to a protocol, for as long as the patch is live.
---@param class table|string
---@param protocol string
---@param members table?  functions by the names of requirements; `get`, `set` and `static` are
---tables of such
---@param options { types: table<string, string|table> }?
local function conform(class, protocol, members, options)
  local name <const> = type(class) == "table" and type_object_name(class) or class
  if type(name) ~= "string" then
    error("conform takes a class, a protocol's name, and a table of functions", 2)
  end
  check_name(name, 2)
  check_name(protocol, 2)
  if members ~= nil and type(members) ~= "table" then
    error("what conform gives for the requirements is a table, not a " .. type(members), 2)
  end
  if options ~= nil and type(options) ~= "table" then
    error("the options of conform are a table, { types = { Element = \"Int\" } }", 2)
  end
  for option in pairs(options or {}) do
    if not options_known[option] then
      error(string.format("conform has no option `%s`; it has `types`", tostring(option)), 2)
    end
  end
  local given <const> = {}
  collect(members or {}, false, given, 2)
  local types <const> = options and options.types and named_types(options.types) or {}
  declare(name, protocol, given, types)
end

return { conform = conform, declare = declare, named_types = named_types }
