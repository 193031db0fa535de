-- SPDX-License-Identifier: MIT
--
-- A changed copy of a Swift struct, `let` properties included.

local text <const> = require "waxwing.text"

--- The names of a struct's stored properties in order, from its listing.
local function stored(listing)
  local names <const> = {}
  for _, member in ipairs(listing.members) do
    local name <const> = string.match(member, "^let ([%w_]+):")
      or string.match(member, "^var ([%w_]+):[^{]*$")
    if name then names[#names + 1] = name end
  end
  return names
end

local function check(value, changes)
  if type(changes) ~= "table" then
    error(string.format("with takes a struct and a table of changes, not a %s", type(changes)), 3)
  end
  local listing <const> = type(value) == "userdata" and typeof(value) or nil
  local kind <const> = listing and type(listing) == "table" and listing.kind or nil
  if kind == "struct" then return listing end
  if kind == "class" then
    error(string.format("%s is a class: set the properties of the object itself", listing.name), 3)
  elseif kind == "enum" then
    error(string.format("%s is an enum: make the case anew", listing.name), 3)
  end
  error(string.format("with takes a struct, not %s", kind and "a value of the kind " .. kind
    or "a " .. type(value)), 3)
end

local with

--- What is to be changed directly, and what inside of properties: by their names.
local function sorted(changes)
  local direct <const>, inner <const> = {}, {}
  for key, value in next, changes do
    if type(key) ~= "string" then
      error(string.format("the changes have names of properties, not a %s", type(key)), 4)
    end
    local first <const>, rest <const> = string.match(key, "^([^.]+)%.(.+)$")
    if first then
      inner[first] = inner[first] or {}
      inner[first][rest] = value
    else
      direct[key] = value
    end
  end
  return direct, inner
end

local function known(names, name, listing)
  for _, other in ipairs(names) do
    if other == name then return end
  end
  error(string.format("%s has no stored property '%s'; it has %s", listing.name, name,
    #names > 0 and text.join(", ", names) or "none"), 4)
end

--- A copy of a struct with some of its stored properties changed; its initializers do not run. A
--- name with dots, `["size.width"]`, is a property inside of one. `null` makes an optional one nil.
---@generic T
---@param value T
---@param changes table<string, any>
---@return T
with = function(value, changes)
  local listing <const> = check(value, changes)
  local names <const> = stored(listing)
  local values <const> = table.pack(unpack(value))
  local direct <const>, inner <const> = sorted(changes)
  local properties <const> = {}
  for index, name in ipairs(names) do properties[name] = values[index] end
  for name, part in next, inner do
    known(names, name, listing)
    if direct[name] ~= nil then
      error(string.format("'%s' is changed both as a whole and inside", name), 3)
    end
    properties[name] = with(properties[name], part)
  end
  for name, other in next, direct do
    known(names, name, listing)
    if other == null then other = nil end
    properties[name] = other
  end
  local copy <const> = repack(value, properties)
  return copy
end

return with
