-- SPDX-License-Identifier: MIT
--
-- `conform`: lets a class conform to a protocol.

-- `type_object_name` gives the name of the type that a table stands for, "#3" for a class of the
-- script's.
local host <const>, type_object_name <const>, check_name <const> = ...

local kinds <const> = { get = "getter", set = "setter" }

--- Puts what a table gives for requirements into `functions`, by lines such as "method greet".
local function collect(members, prefix, functions, level)
  for name, value in pairs(members) do
    check_name(name, level + 1)
    local kind <const> = kinds[name]
    if type(value) == "function" then
      functions[prefix .. "method " .. name] = value
    elseif type(value) == "table" and name == "static" and prefix == "" then
      collect(value, "static ", functions, level + 1)
    elseif type(value) == "table" and kind then
      for property, f in pairs(value) do
        check_name(property, level + 1)
        if type(f) ~= "function" then
          error(string.format("%s.%s is a function, not a %s", name, property, type(f)), level + 1)
        end
        functions[prefix .. kind .. " " .. property] = f
      end
    else
      error(string.format("what conform gives for `%s` is a function, not a %s", name, type(value)),
        level + 1)
    end
  end
end

local function sorted_keys(t)
  local keys <const> = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- Lines such as "Element=Swift.Int".
local function type_lines(types)
  if type(types) ~= "table" then
    error(string.format("`types` is a table, { Element = \"Int\" }, not a %s", type(types)), 3)
  end
  local lines <const> = {}
  for _, name in ipairs(sorted_keys(types)) do
    local value = types[name]
    if type(value) == "table" then value = type_object_name(value) end
    if type(value) ~= "string" then
      error(string.format("the type for `%s` is a name or a class", name), 3)
    end
    lines[#lines + 1] = name .. "=" .. value
  end
  return table.concat(lines, "\n")
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
  Codable = { { "Swift.Encodable", " init" }, { "Swift.Decodable", " encode" } },
}
compositions["Swift.Codable"] = compositions.Codable

--- Declares a conformance, or those that a name stands for.
---@param functions table<string, function>  by lines such as "method greet"
---@param is_lenient boolean?  functions that are no requirements are left alone
local function declare(name, protocol, functions, types, is_lenient)
  if compositions[protocol] then
    for _, part in ipairs(compositions[protocol]) do
      local own <const> = {}
      for line, f in pairs(functions) do
        if not string.find(line, part[2], 1, true) then own[line] = f end
      end
      declare(name, part[1], own, types, is_lenient)
    end
    return
  end
  local number <const>, needed <const> = host.conform(name, protocol,
    table.concat(sorted_keys(functions), "\n"), types, is_lenient == true)
  for line in string.gmatch(needed, "[^\n]+") do
    local place <const>, what <const>, rest <const> = string.match(line, "^(%d+) (%S+) (.*)$")
    local f <const> = what == "key" and functions[rest] or forwards[what](rest)
    host.witness(number, math.tointeger(place), f)
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
  local functions <const> = {}
  collect(members or {}, "", functions, 2)
  local types <const> = options and options.types and type_lines(options.types) or ""
  declare(name, protocol, functions, types)
end

return { conform = conform, declare = declare, type_lines = type_lines }
