-- SPDX-License-Identifier: MIT
--
-- Swift objects filled from tables and JSON, and back, by reflection: renamed keys, key paths, containers
-- of models, enums by raw value, transforms, polymorphic classes.

local json <const> = require "waxwing.json"
local time <const> = require "waxwing.time"

---@class waxwing.Models
local model <const> = {}

---@class waxwing.ModelTransform
---@field from fun(value: any): any   of the table's value: the property's
---@field to fun(value: any): any     the way back

---@class waxwing.ModelOptions
---@field keys table<string, string|string[]>?  property → key, key path "result.id", or several that are tried
---@field ignore string[]?   properties that are left out
---@field only string[]?     the properties that there are; without it, all
---@field transforms table<string, waxwing.ModelTransform>?
---@field make (fun(source: table): userdata)?  makes an object; `Class()` without it
---@field key string?        the key that says of which class an object is,
---@field classes table<string, table>?  and what its values stand for

local options_of <const> = {} ---@type table<string, waxwing.ModelOptions>
local descriptions <const> = {} ---@type table<string, table>

local function name_of(target)
  if type(target) == "table" then return tostring(target) end
  if type(target) == "string" then return target end
  error(string.format("a model is a class or its name, not a %s", type(target)), 3)
end

--- Says what a class's tables are like. Without it, keys are the properties' names.
---@param target table|string
---@param options waxwing.ModelOptions
function model.describe(target, options)
  if type(options) ~= "table" then
    error(string.format("describe takes a table of options, not a %s", type(options)), 2)
  end
  local name <const> = name_of(target)
  options_of[name] = options
  for key in next, descriptions do descriptions[key] = nil end
end

--- Moments as ISO 8601 text, for properties that hold seconds since 1970.
model.iso_date = {
  from = function(value) return time.parse(value) + 0.0 end,
  to = function(value) return time.iso(value) end,
}

-- Descriptions ------------------------------------------------------------------------------------

local plain <const> = {
  Int = "integer", Int8 = "integer", Int16 = "integer", Int32 = "integer", Int64 = "integer", UInt = "integer",
  UInt8 = "integer", UInt16 = "integer", UInt32 = "integer", UInt64 = "integer", Double = "number", Float = "number",
  String = "string", Bool = "boolean",
}

--- "[String: [Shop.Track]]?" -> what is to be done with values of the type.
local function read_type(text)
  local optional <const> = string.match(text, "^(.*)%?$")
  if optional then
    local form <const> = read_type(optional)
    return { kind = form.kind, name = form.name, element = form.element, is_optional = true }
  end
  local inner <const> = string.match(text, "^%[(.*)%]$")
  if inner then
    local depth = 0
    for position, mark in string.gmatch(inner, "()([%[%]<>():])") do
      if mark == ":" and depth == 0 then
        return { kind = "dictionary", name = text, element = read_type(string.match(inner, "^%s*(.*)$", position + 1)) }
      elseif mark == "[" or mark == "<" or mark == "(" then
        depth = depth + 1
      elseif mark ~= ":" then
        depth = depth - 1
      end
    end
    return { kind = "array", name = text, element = read_type(inner) }
  end
  local set <const> = string.match(text, "^Set<(.*)>$")
  if set then return { kind = "set", name = text, element = read_type(set) } end
  local short <const> = string.gsub(text, "^Swift%.", "")
  if plain[short] then return { kind = plain[short], name = short } end
  local works <const>, listing <const> = pcall(function() return typeof(class(text)) end)
  if works and type(listing) == "table" then return { kind = listing.kind, name = text } end
  return { kind = "other", name = text }
end

local function listed(list)
  if not list then return nil end
  local set <const> = {}
  for _, item in ipairs(list) do set[item] = true end
  return set
end

--- A key path's steps, or those of several.
local function paths_of(keys)
  local paths <const> = {}
  for _, key in ipairs(type(keys) == "table" and keys or { keys }) do
    local steps <const> = {}
    for step in string.gmatch(key, "[^.]+") do steps[#steps + 1] = step end
    paths[#paths + 1] = steps
  end
  return paths
end

--- What is known of a class: made once.
local function description_of(name)
  if descriptions[name] then return descriptions[name] end
  local target <const> = class(name)
  local listing <const> = typeof(target)
  if type(listing) ~= "table" then error(string.format("%s is no class of the program", name), 0) end
  -- A class has what those above it say, unless it says otherwise.
  local options <const> = {}
  local ancestor = name
  while ancestor do
    for key, value in next, options_of[ancestor] or {} do
      if options[key] == nil then options[key] = value end
    end
    local works <const>, above <const> = pcall(function() return typeof(class(ancestor)).superclass end)
    ancestor = works and above or nil
  end
  local ignored <const>, only <const> = listed(options.ignore) or {}, listed(options.only)
  local description <const> = { name = name, target = target, kind = listing.kind, options = options, properties = {} }
  local known <const> = {}
  for _, member in ipairs(listing.members) do
    local word <const>, property <const>, type_text, accessors = string.match(member, "^(%a+) ([%w_]+): ([^{]*)(.*)$")
    local is_stored <const> = accessors == ""
    local is_settable <const> = word == "var" and (is_stored or string.find(accessors, "set", 1, true))
    if word and (is_stored or is_settable) and (word == "var" or word == "let") then
      known[property] = true
      if not ignored[property] and (not only or only[property]) then
        type_text = string.match(type_text, "^(.-)%s*$")
        description.properties[#description.properties + 1] = {
          name = property, form = read_type(type_text),
          paths = paths_of(options.keys and options.keys[property] or property),
          transform = options.transforms and options.transforms[property], is_settable = word == "var",
        }
      end
    end
  end
  for _, names in ipairs { options.keys or {}, ignored, only or {}, options.transforms or {} } do
    for property in next, names do
      if not known[property] then error(string.format("%s has no property '%s'", name, property), 0) end
    end
  end
  descriptions[name] = description
  return description
end

-- From tables -------------------------------------------------------------------------------------

local function fail(path, ...)
  local where <const> = #path > 0 and " at " .. string.gsub(table.concat(path, "."), "%.%[", "[") or ""
  error({ model = string.format(...) .. where }, 0)
end

local function found(value)
  if value == null then return "null" end
  return math.type(value) or type(value)
end

local fill, convert

local function with_step(path, step, f, ...)
  path[#path + 1] = step
  local result <const> = f(...)
  path[#path] = nil
  return result
end

local function convert_plain(value, form, path)
  if form.kind == "integer" then
    local integer <const> = type(value) == "number" and math.tointeger(value)
    if integer then return integer end
  elseif form.kind == "number" and type(value) == "number" then
    return value + 0.0
  elseif type(value) == form.kind then
    return value
  end
  fail(path, "expected %s, found %s", form.name, found(value))
end

local function make(name, value, path)
  if type(value) ~= "table" then fail(path, "expected an object for %s, found %s", name, found(value)) end
  local description = description_of(name)
  local options <const> = description.options
  if options.key then
    local tag <const> = value[options.key]
    local chosen <const> = options.classes and options.classes[tag]
    if chosen then
      description = description_of(tostring(chosen))
    elseif tag ~= nil and tag ~= null then
      fail(path, "no class of %s is called '%s'", name, tostring(tag))
    end
  end
  local object <const> = description.options.make and description.options.make(value) or description.target()
  fill(object, description, value, path)
  return object
end

--- The value of a struct as a table of its properties.
local function struct_of(name, value, path)
  if type(value) ~= "table" then fail(path, "expected an object for %s, found %s", name, found(value)) end
  local result <const> = {}
  for _, property in ipairs(description_of(name).properties) do
    local item
    for _, steps in ipairs(property.paths) do
      item = value
      for _, step in ipairs(steps) do item = type(item) == "table" and item[step] or nil end
      if item ~= nil then break end
    end
    if item == nil and not property.form.is_optional then
      with_step(path, property.name, fail, path, "%s needs a value", name)
    end
    if property.transform then item = property.transform.from(item) end
    result[property.name] = with_step(path, property.name, convert, item, property.form, path)
  end
  return result
end

convert = function(value, form, path)
  if value == nil or value == null then
    if form.is_optional then return nil end
    fail(path, "expected %s, found null", form.name)
  end
  local kind <const> = form.kind
  if kind == "array" or kind == "set" then
    if type(value) ~= "table" then fail(path, "expected a list for %s, found %s", form.name, found(value)) end
    local list <const> = {}
    for index = 1, #value do
      list[index] = with_step(path, string.format("[%d]", index), convert, value[index], form.element, path)
    end
    return list
  elseif kind == "dictionary" then
    if type(value) ~= "table" then fail(path, "expected an object for %s, found %s", form.name, found(value)) end
    local entries <const> = {}
    for key, item in next, value do
      entries[key] = with_step(path, tostring(key), convert, item, form.element, path)
    end
    return entries
  elseif kind == "class" then
    return make(form.name, value, path)
  elseif kind == "struct" then
    return struct_of(form.name, value, path)
  elseif kind == "enum" then
    local case <const> = class(form.name)(value)
    if case == nil then fail(path, "%s has no case of the raw value %s", form.name, tostring(value)) end
    return case
  elseif kind == "other" then
    return value
  end
  return convert_plain(value, form, path)
end

fill = function(object, description, source, path)
  for _, property in ipairs(description.properties) do
    local value
    for _, steps in ipairs(property.paths) do
      value = source
      for _, step in ipairs(steps) do
        if type(value) ~= "table" then value = nil else value = value[step] end
      end
      if value ~= nil then break end
    end
    if value ~= nil and property.is_settable then
      path[#path + 1] = property.name
      if property.transform and value ~= null then
        local works <const>, result <const> = pcall(property.transform.from, value)
        if not works then fail(path, "%s", (string.gsub(tostring(result), "^[^:]*:%d+: ", ""))) end
        value = result
      end
      object[property.name] = convert(value, property.form, path)
      path[#path] = nil
    end
  end
end

--- Raises what `fail` has raised as the caller's mistake.
local function checked(works, result)
  if works then return result end
  if type(result) == "table" and result.model then error(result.model, 3) end
  error(result, 3)
end

--- An object of a table. Keys that are missing leave what the initializer has set.
---@param target table|string  the class
---@param source table
---@return userdata
function model.from(target, source)
  local object <const> = checked(pcall(make, name_of(target), source, {}))
  return object
end

--- Objects of a list of tables; of the list at a key path, if one is given.
---@param target table|string
---@param source table
---@param path string?  "result.albums"
---@return userdata[]
function model.list(target, source, path)
  local list = source
  for step in string.gmatch(path or "", "[^.]+") do
    if type(list) == "table" then list = list[step] else list = nil end
  end
  if type(list) ~= "table" then error(string.format("there is no list at '%s'", path or ""), 2) end
  local name <const>, objects <const> = name_of(target), {}
  for index = 1, #list do
    objects[index] = checked(pcall(make, name, list[index], { string.format("[%d]", index) }))
  end
  return objects
end

--- Sets the properties of an object that a table has.
---@param object userdata
---@param source table
---@return userdata object
function model.update(object, source)
  if type(object) ~= "userdata" then error(string.format("update takes an object, not a %s", type(object)), 2) end
  if type(source) ~= "table" then error(string.format("update takes a table, not a %s", type(source)), 2) end
  checked(pcall(function() fill(object, description_of(tostring(class(object))), source, {}) end))
  return object
end

-- To tables ---------------------------------------------------------------------------------------

local to_table

local function plain_value(value, form, open)
  if value == nil then return nil end
  if form.kind == "class" then return to_table(value, tostring(class(value)), open) end
  if form.kind == "struct" then return to_table(value, form.name, open) end
  if form.kind == "enum" then return value.rawValue end
  if form.kind == "array" or form.kind == "set" then
    local list <const> = json.array()
    for index = 1, #value do list[index] = plain_value(value[index], form.element, open) end
    if form.kind == "set" then
      local works <const> = pcall(table.sort, list)
      if not works then table.sort(list, function(a, b) return tostring(a) < tostring(b) end) end
    end
    return list
  elseif form.kind == "dictionary" then
    local entries <const> = json.object()
    for key, item in next, value do entries[key] = plain_value(item, form.element, open) end
    return entries
  end
  return value
end

local function set_path(target, steps, value)
  for index = 1, #steps - 1 do
    target[steps[index]] = target[steps[index]] or {}
    target = target[steps[index]]
  end
  target[steps[#steps]] = value
end

to_table = function(object, name, open)
  local description <const> = description_of(name)
  if description.kind == "class" then
    for _, other in ipairs(open) do
      if rawequal(other, object) then error({ model = string.format("an object of %s contains itself", name) }, 0) end
    end
    open[#open + 1] = object
  end
  local result <const> = json.object()
  for _, property in ipairs(description.properties) do
    local value = object[property.name]
    if property.transform and value ~= nil then
      value = property.transform.to(value)
    else
      value = plain_value(value, property.form, open)
    end
    if value ~= nil then set_path(result, property.paths[1], value) end
  end
  local options <const> = description.options
  if options.key and result[options.key] == nil then
    for tag, target in next, options.classes or {} do
      if tostring(target) == name then result[options.key] = tag end
    end
  end
  if description.kind == "class" then open[#open] = nil end
  return result
end

--- A table of an object, with the keys of its description. Properties that are nil are left out.
---@param object userdata
---@return table
function model.to_table(object)
  if type(object) ~= "userdata" then error(string.format("to_table takes an object, not a %s", type(object)), 2) end
  local result <const> = checked(pcall(to_table, object, tostring(class(object)), {}))
  return result
end

-- JSON --------------------------------------------------------------------------------------------

--- An object of a JSON text, or of what is at a key path in it.
---@param target table|string
---@param text string
---@param path string?
---@return userdata
function model.from_json(target, text, path)
  local source = json.decode(text)
  for step in string.gmatch(path or "", "[^.]+") do
    if type(source) == "table" then source = source[step] else source = nil end
  end
  local object <const> = checked(pcall(make, name_of(target), source, {}))
  return object
end

--- An object, or a list of them, as JSON.
---@param object userdata|userdata[]
---@param options waxwing.JsonEncodeOptions?
---@return string
function model.to_json(object, options)
  if type(object) == "table" then
    local list <const> = json.array()
    for index = 1, #object do list[index] = model.to_table(object[index]) end
    return json.encode(list, options)
  end
  return json.encode(model.to_table(object), options)
end

return model
