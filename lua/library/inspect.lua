-- SPDX-License-Identifier: MIT
--
-- Values as text that people can read, and that Lua can read back where that is possible.
-- The names follow inspect.lua by Enrique García Cota.

---@class waxwing.InspectOptions
---@field depth integer?    levels of tables that are shown; without it, all
---@field newline string?   what ends a line; "\n"
---@field indent string?    what a level is indented by; two spaces
---@field process (fun(value: any, path: any[]): any)?  gives what is shown; nil: nothing

---@class waxwing.Inspect
---@field KEY table        in a path: the key itself, not its value
---@field METATABLE table  in a path: the table's metatable
---@operator call(any): string
local inspect <const> = {}

inspect.KEY = setmetatable({}, { __tostring = function() return "inspect.KEY" end })
inspect.METATABLE = setmetatable({}, { __tostring = function() return "inspect.METATABLE" end })

local reserved <const> = {}
for word in string.gmatch("and break do else elseif end false for function goto if in local nil "
  .. "not or repeat return then true until while", "%a+") do
  reserved[word] = true
end

local escapes <const> = {
  ["\a"] = "\\a", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t",
  ["\v"] = "\\v", ["\127"] = "\\127", ["\\"] = "\\\\",
}

--- In quotes, as Lua reads it; in single ones if that saves escapes.
---@param text string
---@return string
local function quote(text)
  local mark <const> = string.find(text, '"', 1, true) and not string.find(text, "'", 1, true)
    and "'" or '"'
  local body = string.gsub(text, "[%c\\\127]", function(character)
    return escapes[character]
  end)
  body = string.gsub(body, "(%c)(%d?)", function(character, digit)
    return string.format(digit == "" and "\\%d%s" or "\\%03d%s", string.byte(character), digit)
  end)
  if mark == '"' then body = string.gsub(body, '"', '\\"') end
  return mark .. body .. mark
end

local function is_name(key)
  return type(key) == "string" and not reserved[key] and string.find(key, "^[%a_][%w_]*$") ~= nil
end

local order <const> = {
  number = 1, boolean = 2, string = 3, table = 4, ["function"] = 5, userdata = 6, thread = 7,
}

local function sorted(a, b)
  local kind_a <const>, kind_b <const> = type(a), type(b)
  if kind_a ~= kind_b then return order[kind_a] < order[kind_b] end
  if kind_a == "number" or kind_a == "string" then return a < b end
  return tostring(a) < tostring(b)
end

--- Numbers so that reading them gives the same number.
local function number_text(value)
  if value ~= value then return "0/0" end
  if value == math.huge then return "math.huge" end
  if value == -math.huge then return "-math.huge" end
  if math.type(value) == "integer" then
    return value == math.mininteger and "math.mininteger" or tostring(value)
  end
  local short <const> = string.format("%.14g", value)
  local text <const> = tonumber(short) == value and short or string.format("%.17g", value)
  return string.find(text, "[%.en]") and text or text .. ".0"
end

--- A metatable that may be looked at.
local function open_metatable(value)
  local found <const> = getmetatable(value)
  return type(found) == "table" and found or nil
end

---@class waxwing.InspectWriter
---@field parts string[]
---@field counts table<table, integer>  how often each table occurs
---@field ids table<any, integer>
---@field next_id table<string, integer>
---@field options waxwing.InspectOptions

--- Counts tables that occur more than once: those get a number.
local function count(value, counts)
  if type(value) ~= "table" then return end
  if counts[value] then
    counts[value] = counts[value] + 1
    return
  end
  counts[value] = 1
  for key, item in next, value do
    count(key, counts)
    count(item, counts)
  end
  count(open_metatable(value), counts)
end

local write

local function id_of(writer, value)
  local found = writer.ids[value]
  if not found then
    local kind <const> = type(value)
    found = (writer.next_id[kind] or 0) + 1
    writer.next_id[kind] = found
    writer.ids[value] = found
  end
  return found
end

local function add(writer, text)
  writer.parts[#writer.parts + 1] = text
end

local function line(writer, level)
  add(writer, writer.options.newline .. string.rep(writer.options.indent, level))
end

local function write_table(writer, value, level)
  if writer.ids[value] then return add(writer, string.format("<table %d>", writer.ids[value])) end
  if level >= writer.options.depth then return add(writer, "{...}") end
  if writer.counts[value] > 1 then add(writer, string.format("<%d>", id_of(writer, value))) end
  local length <const> = rawlen(value)
  local keys <const> = {}
  for key in next, value do
    local is_element <const> = math.type(key) == "integer" and key >= 1 and key <= length
    if not is_element then keys[#keys + 1] = key end
  end
  table.sort(keys, sorted)
  local metatable <const> = open_metatable(value)
  add(writer, "{")
  for index = 1, length do
    add(writer, index > 1 and ", " or " ")
    write(writer, rawget(value, index), level + 1)
  end
  for index, key in ipairs(keys) do
    if length + index > 1 then add(writer, ",") end
    line(writer, level + 1)
    if is_name(key) then
      add(writer, key)
    else
      add(writer, "[")
      write(writer, key, level + 1)
      add(writer, "]")
    end
    add(writer, " = ")
    write(writer, rawget(value, key), level + 1)
  end
  if metatable then
    if length + #keys > 0 then add(writer, ",") end
    line(writer, level + 1)
    add(writer, "<metatable> = ")
    write(writer, metatable, level + 1)
  end
  if #keys > 0 or metatable then
    line(writer, level)
  elseif length > 0 then
    add(writer, " ")
  end
  add(writer, "}")
end

write = function(writer, value, level)
  local kind <const> = type(value)
  if kind == "string" then
    add(writer, quote(value))
  elseif kind == "number" then
    add(writer, number_text(value))
  elseif kind == "table" then
    write_table(writer, value, level)
  elseif kind == "function" or kind == "thread" then
    add(writer, string.format("<%s %d>", kind, id_of(writer, value)))
  else
    add(writer, tostring(value)) -- booleans, nil, and Swift values, which describe themselves
  end
end

--- What `process` makes of a value and everything in it.
local function processed(process, value, path, known)
  if value == nil then return nil end
  if type(value) == "table" and known[value] then return known[value] end
  local result <const> = process(value, path)
  if type(result) ~= "table" then return result end
  local copy <const> = {}
  known[value] = copy
  local function below(...)
    local longer <const> = { table.unpack(path) }
    for _, key in ipairs { ... } do longer[#longer + 1] = key end
    return longer
  end
  for key, item in next, result do
    local shown <const> = processed(process, key, below(key, inspect.KEY), known)
    if shown ~= nil then copy[shown] = processed(process, item, below(shown), known) end
  end
  local metatable <const> = processed(process, open_metatable(result), below(inspect.METATABLE),
    known)
  if type(metatable) == "table" then pcall(setmetatable, copy, metatable) end
  return copy
end

--- The value as text.
---@param value any
---@param options waxwing.InspectOptions?
---@return string
function inspect.inspect(value, options)
  if options ~= nil and type(options) ~= "table" then
    error(string.format("the options of inspect are a table, not a %s", type(options)), 2)
  end
  local given <const> = options or {}
  local writer <const> = {
    parts = {}, counts = {}, ids = {}, next_id = {},
    options = {
      depth = given.depth or math.huge, newline = given.newline or "\n",
      indent = given.indent or "  ",
    },
  }
  if given.process then value = processed(given.process, value, {}, {}) end
  count(value, writer.counts)
  write(writer, value, 0)
  return table.concat(writer.parts)
end

return setmetatable(inspect, {
  __call = function(_, value, options) return inspect.inspect(value, options) end,
})
