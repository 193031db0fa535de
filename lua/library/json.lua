-- SPDX-License-Identifier: MIT
--
-- JSON as RFC 8259 has it: exact integers, `null`, arrays and objects told apart, cycles refused,
-- errors with line and column.

---@class waxwing.Json
local json <const> = {}

---@class waxwing.JsonEncodeOptions
---@field indent string|integer?  text or number of spaces for each level; without it, one line
---@field sort boolean?           false: keys in any order, which is a little faster
---@field depth integer?          levels of tables at most; 200

---@class waxwing.JsonDecodeOptions
---@field depth integer?      levels at most; 200
---@field null any            what `null` becomes; the patch's `null`
---@field integers "float"|"error"|nil  what becomes of integers beyond 64 bits; floats

local most_levels <const> = 200

--- The metatables of marked tables: what a table is, where its keys do not tell.
local array_mark <const> = { __metatable = "json.array" }
local object_mark <const> = { __metatable = "json.object" }

local function with_mark(value, what, metatable)
  if type(value) ~= "table" then
    error(string.format("%s takes a table, not a %s", what, type(value)), 3)
  end
  local present <const> = getmetatable(value)
  if present == array_mark.__metatable or present == object_mark.__metatable then
    if present == metatable.__metatable then return value end
    error(string.format("the table is marked as %s already", present), 3)
  elseif present ~= nil then
    error("the table has a metatable of its own: copy it first", 3)
  end
  return setmetatable(value, metatable)
end

--- Marks a table as a list, also if it is empty.
---@generic T: table
---@param list T?
---@return T list
function json.array(list)
  local marked <const> = with_mark(list or {}, "array", array_mark)
  return marked
end

--- Marks a table as an object, also if it is empty.
---@generic T: table
---@param object T?
---@return T object
function json.object(object)
  local marked <const> = with_mark(object or {}, "object", object_mark)
  return marked
end

-- Writing ---------------------------------------------------------------------------------------

local escapes <const> = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t",
}
for code = 0, 31 do
  local character <const> = string.char(code)
  escapes[character] = escapes[character] or string.format("\\u%04x", code)
end

---@class waxwing.JsonWriter
---@field parts string[]
---@field open table<table, boolean>  those that are being written
---@field path (string|integer)[]
---@field indent string?
---@field sort boolean
---@field depth integer

--- "result.albums[2]": where the value is.
local function place(path)
  local parts <const> = {}
  for _, key in ipairs(path) do
    if math.type(key) == "integer" then
      parts[#parts + 1] = string.format("[%d]", key)
    else
      parts[#parts + 1] = (#parts > 0 and "." or "") .. tostring(key)
    end
  end
  return #parts > 0 and " at " .. table.concat(parts) or ""
end

local function refuse(writer, ...)
  error({ json = string.format(...) .. place(writer.path) }, 0)
end

local function quote(writer, text)
  if not utf8.len(text) then
    local _, position <const> = utf8.len(text)
    refuse(writer, "a string is not UTF-8, from its byte %d on", position)
  end
  return '"' .. string.gsub(text, '[%c"\\]', escapes) .. '"'
end

local function number_text(writer, value)
  if math.type(value) == "integer" then return string.format("%d", value) end
  if value ~= value or value == math.huge or value == -math.huge then
    refuse(writer, "JSON has no %s", tostring(value))
  end
  local short <const> = string.format("%.15g", value)
  local text <const> = tonumber(short) == value and short or string.format("%.17g", value)
  return string.find(text, "[.e]") and text or text .. ".0"
end

--- "array" or "object".
local function kind_of(writer, value)
  local name <const> = getmetatable(value)
  if name == "json.object" then return "object" end
  local marked <const> = name == "json.array" and "array" or nil
  local count, greatest = 0, 0
  for key in next, value do
    if math.type(key) == "integer" and key > 0 then
      count = count + 1
      greatest = math.max(greatest, key)
    elseif type(key) ~= "string" then
      refuse(writer, "a key is a string, not a %s", type(key))
    elseif count > 0 or marked then
      refuse(writer, "a table has both positions and names, '%s'", key)
    else
      greatest = -1
    end
  end
  if count > 0 and greatest == -1 then refuse(writer, "a table has both positions and names") end
  if count == 0 then return marked or "object" end
  if greatest ~= count then
    refuse(writer, "a list has holes: %d elements up to %d; put null into them", count, greatest)
  end
  return "array"
end

local write

local function line(writer, level)
  if writer.indent then
    writer.parts[#writer.parts + 1] = "\n" .. string.rep(writer.indent, level)
  end
end

local function write_array(writer, list, level)
  local parts <const> = writer.parts
  if #list == 0 then
    parts[#parts + 1] = "[]"
    return
  end
  parts[#parts + 1] = "["
  for index = 1, #list do
    if index > 1 then parts[#parts + 1] = "," end
    line(writer, level + 1)
    writer.path[#writer.path + 1] = index
    write(writer, list[index], level + 1)
    writer.path[#writer.path] = nil
  end
  line(writer, level)
  parts[#parts + 1] = "]"
end

local function write_object(writer, object, level)
  local parts <const>, keys <const> = writer.parts, {}
  for key in next, object do
    if type(key) ~= "string" then refuse(writer, "a key is a string, not a %s", type(key)) end
    keys[#keys + 1] = key
  end
  if #keys == 0 then
    parts[#parts + 1] = "{}"
    return
  end
  if writer.sort then table.sort(keys) end
  parts[#parts + 1] = "{"
  for index, key in ipairs(keys) do
    if index > 1 then parts[#parts + 1] = "," end
    line(writer, level + 1)
    writer.path[#writer.path + 1] = key
    parts[#parts + 1] = quote(writer, key) .. (writer.indent and ": " or ":")
    write(writer, object[key], level + 1)
    writer.path[#writer.path] = nil
  end
  line(writer, level)
  parts[#parts + 1] = "}"
end

write = function(writer, value, level)
  local kind <const>, parts <const> = type(value), writer.parts
  if kind == "string" then
    parts[#parts + 1] = quote(writer, value)
  elseif kind == "number" then
    parts[#parts + 1] = number_text(writer, value)
  elseif kind == "boolean" then
    parts[#parts + 1] = tostring(value)
  elseif value == nil or value == null then
    parts[#parts + 1] = "null"
  elseif kind == "table" then
    if writer.open[value] then refuse(writer, "a table contains itself") end
    if level >= writer.depth then refuse(writer, "more than %d levels", writer.depth) end
    writer.open[value] = true
    local write_table <const> = kind_of(writer, value) == "array" and write_array or write_object
    write_table(writer, value, level)
    writer.open[value] = nil
  else
    refuse(writer, "JSON has no %s; make a table of it", kind == "userdata" and tostring(value)
      or kind)
  end
end

--- Raises what `refuse` has raised as the caller's mistake.
local function checked(works, problem)
  if works then return problem end
  if type(problem) == "table" and problem.json then error(problem.json, 3) end
  error(problem, 0)
end

--- The value as JSON. Tables with positions are arrays, others objects; an empty one is an object
--- unless `json.array` has marked it.
---@param value any
---@param options waxwing.JsonEncodeOptions?
---@return string
function json.encode(value, options)
  local given <const> = options or {}
  local indent = given.indent
  if math.type(indent) == "integer" then indent = string.rep(" ", indent) end
  local writer <const> = {
    parts = {}, open = {}, path = {}, indent = indent, sort = given.sort ~= false,
    depth = given.depth or most_levels,
  }
  checked(pcall(write, writer, value, 0))
  return table.concat(writer.parts)
end

-- Reading ---------------------------------------------------------------------------------------

---@class waxwing.JsonReader
---@field text string
---@field null any
---@field depth integer
---@field integers string?

local function fail(reader, position, ...)
  local before <const> = string.sub(reader.text, 1, position - 1)
  local _, lines <const> = string.gsub(before, "\n", "")
  local start <const> = string.match(before, ".*\n()") or 1
  local column <const> = (utf8.len(before, start) or #before - start + 1) + 1
  error({
    json = string.format("line %d, column %d: %s", lines + 1, column, string.format(...)),
  }, 0)
end

--- What is there, for messages.
local function found(reader, position)
  if position > #reader.text then return "the text ends" end
  local word <const> = string.match(reader.text, "^[%w_]+", position)
    or string.match(reader.text, "^" .. utf8.charpattern, position)
    or string.sub(reader.text, position, position)
  return string.format("found '%s'", #word > 20 and string.sub(word, 1, 20) .. "…" or word)
end

local function skip(reader, position)
  return string.find(reader.text, "[^ \t\r\n]", position) or #reader.text + 1
end

local plain <const> = {
  ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t",
}

--- The character of `\uXXXX`, or of two of them, and the position behind.
local function read_unicode(reader, position)
  local digits <const> = string.match(reader.text, "^\\u(%x%x%x%x)", position)
  if not digits then fail(reader, position, "\\u takes four hexadecimal digits") end
  local code <const> = tonumber(digits, 16)
  if code < 0xD800 or code > 0xDFFF then return utf8.char(code), position + 6 end
  local low <const> = code < 0xDC00
    and string.match(reader.text, "^\\u([dD][c-fC-F]%x%x)", position + 6)
  if not low then fail(reader, position, "\\u%s is half of a character", digits) end
  return utf8.char(0x10000 + ((code - 0xD800) << 10) + (tonumber(low, 16) - 0xDC00)), position + 12
end

--- The string whose quotation mark is at `position`, and the position behind it.
local function read_string(reader, position)
  local text <const> = reader.text
  local start = position + 1
  local stop = string.find(text, '[%c"\\]', start)
  local parts
  while true do
    if not stop then fail(reader, position, "the string does not end") end
    local mark <const> = string.sub(text, stop, stop)
    if mark == '"' then
      local last <const> = string.sub(text, start, stop - 1)
      if not parts then return last, stop + 1 end
      parts[#parts + 1] = last
      return table.concat(parts), stop + 1
    elseif mark == "\127" then -- a control character for Lua, not for JSON
      stop = string.find(text, '[%c"\\]', stop + 1)
    elseif mark ~= "\\" then
      fail(reader, stop, "a control character in a string: write \\u%04x", string.byte(mark))
    else
      parts = parts or {}
      parts[#parts + 1] = string.sub(text, start, stop - 1)
      local letter <const> = string.sub(text, stop + 1, stop + 1)
      if letter == "u" then
        parts[#parts + 1], start = read_unicode(reader, stop)
      elseif plain[letter] then
        parts[#parts + 1], start = plain[letter], stop + 2
      else
        fail(reader, stop, "there is no escape \\%s", letter)
      end
      stop = string.find(text, '[%c"\\]', start)
    end
  end
end

local function read_number(reader, position)
  local text <const> = reader.text
  local _, stop = string.find(text, "^-?%d+", position)
  if not stop then fail(reader, position, "expected a digit, %s", found(reader, position + 1)) end
  if string.find(text, "^-?0%d", position) then
    fail(reader, position, "a number does not begin with 0")
  end
  local is_integer = true
  if string.find(text, "^%.", stop + 1) then
    is_integer = false
    local _, last <const> = string.find(text, "^%.%d+", stop + 1)
    if not last then
      fail(reader, stop + 2, "expected a digit, %s", found(reader, stop + 2))
    end
    stop = last
  end
  if string.find(text, "^[eE]", stop + 1) then
    is_integer = false
    local _, last <const> = string.find(text, "^[eE][+-]?%d+", stop + 1)
    if not last then
      fail(reader, stop + 2, "expected a digit, %s", found(reader, stop + 2))
    end
    stop = last
  end
  local digits <const> = string.sub(text, position, stop)
  if is_integer then
    local value <const> = math.tointeger(tonumber(digits))
    if value and string.format("%d", value) == digits or digits == "-0" then
      return digits == "-0" and -0.0 or value, stop + 1
    end
    if reader.integers == "error" then
      fail(reader, position, "%s does not fit 64 bits", digits)
    end
    return tonumber(digits .. ".0"), stop + 1
  end
  local value <const> = tonumber(digits)
  if value == math.huge or value == -math.huge then
    fail(reader, position, "%s is out of range", digits)
  end
  return value, stop + 1
end

local words <const> = { t = "true", f = "false", n = "null" }

local read_value

local function read_array(reader, position, level)
  local list <const> = json.array()
  position = skip(reader, position + 1)
  if string.byte(reader.text, position) == 93 then return list, position + 1 end
  local count = 0
  while true do
    count = count + 1
    list[count], position = read_value(reader, position, level + 1)
    position = skip(reader, position)
    local mark <const> = string.byte(reader.text, position)
    if mark == 93 then return list, position + 1 end
    if mark ~= 44 then
      fail(reader, position, "expected ',' or ']', %s", found(reader, position))
    end
    position = skip(reader, position + 1)
  end
end

local function read_object(reader, position, level)
  local object <const> = json.object()
  position = skip(reader, position + 1)
  if string.byte(reader.text, position) == 125 then return object, position + 1 end
  while true do
    if string.byte(reader.text, position) ~= 34 then
      fail(reader, position, "expected a key in quotation marks, %s", found(reader, position))
    end
    local key
    key, position = read_string(reader, position)
    position = skip(reader, position)
    if string.byte(reader.text, position) ~= 58 then
      fail(reader, position, "expected ':', %s", found(reader, position))
    end
    object[key], position = read_value(reader, skip(reader, position + 1), level + 1)
    position = skip(reader, position)
    local mark <const> = string.byte(reader.text, position)
    if mark == 125 then return object, position + 1 end
    if mark ~= 44 then
      fail(reader, position, "expected ',' or '}', %s", found(reader, position))
    end
    position = skip(reader, position + 1)
  end
end

read_value = function(reader, position, level)
  local mark <const> = string.sub(reader.text, position, position)
  if mark == '"' then return read_string(reader, position) end
  if mark == "{" or mark == "[" then
    if level >= reader.depth then fail(reader, position, "more than %d levels", reader.depth) end
    if mark == "{" then return read_object(reader, position, level) end
    return read_array(reader, position, level)
  end
  if mark == "-" or string.find(mark, "^%d") then return read_number(reader, position) end
  local word <const> = words[mark]
  if word and string.match(reader.text, "^%w+", position) == word then
    if word == "null" then return reader.null, position + 4 end
    return word == "true", position + #word
  end
  fail(reader, position, "expected a value, %s", found(reader, position))
end

--- The value of a JSON text.
---@param text string
---@param options waxwing.JsonDecodeOptions?
---@return any
function json.decode(text, options)
  if type(text) ~= "string" then
    error(string.format("decode takes a string, not a %s", type(text)), 2)
  end
  local given <const> = options or {}
  local reader <const> = {
    text = text, null = null, depth = given.depth or most_levels, integers = given.integers,
  }
  if given.null ~= nil then reader.null = given.null end
  local value <const> = checked(pcall(function()
    local _, invalid <const> = utf8.len(text)
    if invalid then fail(reader, invalid, "the text is not UTF-8 from here on") end
    local result <const>, position <const> = read_value(reader, skip(reader, 1), 0)
    local rest <const> = skip(reader, position)
    if rest <= #text then fail(reader, rest, "expected the end, %s", found(reader, rest)) end
    return result
  end))
  return value
end

return json
