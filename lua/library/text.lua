-- SPDX-License-Identifier: MIT
--
-- What Lua's strings lack: trimming, splitting, padding, wrapping, characters of UTF-8, templates.
-- The names are those of Penlight's stringx where it has them.

---@class waxwing.Text
local text <const> = {}

local function check(what, value)
  if type(value) ~= "string" then
    error(string.format("%s takes a string, not a %s", what, type(value)), 3)
  end
end

--- The text so that a pattern matches just that.
---@param value string
---@return string
function text.escape_pattern(value)
  check("escape_pattern", value)
  return (string.gsub(value, "[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0"))
end

--- Without spaces, tabs and line breaks at both ends; or without the characters of `set`.
---@param value string
---@param set string?
---@return string
function text.strip(value, set)
  check("strip", value)
  return text.lstrip(text.rstrip(value, set), set)
end

local function class_of(set)
  if set == nil then return "%s" end
  check("strip", set)
  return "[" .. string.gsub(set, "[%^%]%-%%]", "%%%0") .. "]"
end

--- The same at the beginning.
---@param value string
---@param set string?
---@return string
function text.lstrip(value, set)
  check("lstrip", value)
  return (string.gsub(value, "^" .. class_of(set) .. "+", ""))
end

--- The same at the end.
---@param value string
---@param set string?
---@return string
function text.rstrip(value, set)
  check("rstrip", value)
  local pattern <const> = "^" .. class_of(set)
  local stop = #value
  while stop > 0 and string.find(value, pattern, stop) do stop = stop - 1 end
  return string.sub(value, 1, stop)
end

--- The parts between separators, which are plain text; without one, the words.
---@param value string
---@param separator string?
---@param most integer?  so many parts at most; the last has the rest
---@return string[]
function text.split(value, separator, most)
  check("split", value)
  local parts <const> = {}
  if separator == nil then
    local position = string.find(value, "%S")
    while position do
      if most and #parts + 1 == most then
        parts[#parts + 1] = text.rstrip(string.sub(value, position))
        break
      end
      local stop <const> = string.find(value, "%s", position) or #value + 1
      parts[#parts + 1] = string.sub(value, position, stop - 1)
      position = string.find(value, "%S", stop)
    end
    return parts
  end
  check("split", separator)
  if separator == "" then error("split takes a separator that is not empty", 2) end
  local position = 1
  while not (most and #parts + 1 == most) do
    local start <const>, stop <const> = string.find(value, separator, position, true)
    if not start then break end
    parts[#parts + 1] = string.sub(value, position, start - 1)
    position = stop + 1
  end
  parts[#parts + 1] = string.sub(value, position)
  return parts
end

--- The lines, without what ends them.
---@param value string
---@return string[]
function text.splitlines(value)
  check("splitlines", value)
  local lines <const> = {}
  local position = 1
  while position <= #value do
    local stop <const> = string.find(value, "[\r\n]", position)
    lines[#lines + 1] = string.sub(value, position, (stop or #value + 1) - 1)
    if not stop then break end
    position = stop + (string.find(value, "^\r\n", stop) and 2 or 1)
  end
  return lines
end

--- The values as text, with a separator between them.
---@param separator string
---@param values any[]
---@return string
function text.join(separator, values)
  check("join", separator)
  local parts <const> = {}
  for index = 1, #values do parts[index] = tostring(values[index]) end
  return table.concat(parts, separator)
end

--- Whether it begins so.
---@param value string
---@param beginning string
---@return boolean
function text.startswith(value, beginning)
  check("startswith", value)
  check("startswith", beginning)
  return string.sub(value, 1, #beginning) == beginning
end

--- Whether it ends so.
---@param value string
---@param ending string
---@return boolean
function text.endswith(value, ending)
  check("endswith", value)
  check("endswith", ending)
  return ending == "" or string.sub(value, -#ending) == ending
end

--- How many characters it has: code points, or bytes where it is not UTF-8.
---@param value string
---@return integer
function text.len(value)
  check("len", value)
  return utf8.len(value) or #value
end

--- Whether it is UTF-8; if not, also the position of the first wrong byte.
---@param value string
---@return boolean
---@return integer?
function text.is_utf8(value)
  check("is_utf8", value)
  local length <const>, position <const> = utf8.len(value)
  if length then return true end
  return false, position
end

--- Characters from a position to another one, as `string.sub` gives bytes.
---@param value string
---@param first integer
---@param last integer?
---@return string
function text.sub(value, first, last)
  check("sub", value)
  local length <const> = utf8.len(value)
  if not length then return string.sub(value, first, last) end
  last = last or -1
  first = first < 0 and math.max(length + first + 1, 1) or math.max(first, 1)
  last = last < 0 and length + last + 1 or math.min(last, length)
  if first > last then return "" end
  return string.sub(value, utf8.offset(value, first), utf8.offset(value, last + 1) - 1)
end

local function pad(what, value, width, fill)
  check(what, value)
  fill = fill or " "
  if text.len(fill) ~= 1 then error(what .. " fills with a single character", 3) end
  return math.max(width - text.len(value), 0), fill
end

--- Filled up at the right to a width in characters.
---@param value string
---@param width integer
---@param fill string?
---@return string
function text.ljust(value, width, fill)
  local missing <const>, character <const> = pad("ljust", value, width, fill)
  return value .. string.rep(character, missing)
end

--- Filled up at the left.
---@param value string
---@param width integer
---@param fill string?
---@return string
function text.rjust(value, width, fill)
  local missing <const>, character <const> = pad("rjust", value, width, fill)
  return string.rep(character, missing) .. value
end

--- Filled up at both ends; where that is uneven, with one more at the right.
---@param value string
---@param width integer
---@param fill string?
---@return string
function text.center(value, width, fill)
  local missing <const>, character <const> = pad("center", value, width, fill)
  return string.rep(character, missing // 2) .. value
    .. string.rep(character, missing - missing // 2)
end

--- At most so many characters, with "…" in place of the rest.
---@param value string
---@param width integer
---@return string
function text.shorten(value, width)
  check("shorten", value)
  if text.len(value) <= width then return value end
  if width < 1 then return "" end
  return text.sub(value, 1, width - 1) .. "…"
end

--- Lines of at most so many characters, broken between words. Longer words have a line each.
---@param value string
---@param width integer
---@return string[]
function text.wrap(value, width)
  check("wrap", value)
  local lines <const> = {}
  local line, length = {}, 0
  for _, word in ipairs(text.split(value)) do
    local size <const> = text.len(word)
    if #line > 0 and length + 1 + size > width then
      lines[#lines + 1] = table.concat(line, " ")
      line, length = {}, 0
    end
    length = length + size + (#line > 0 and 1 or 0)
    line[#line + 1] = word
  end
  if #line > 0 then lines[#lines + 1] = table.concat(line, " ") end
  return lines
end

--- How often it contains a part, which is plain text; occurrences do not overlap.
---@param value string
---@param part string
---@return integer
function text.count(value, part)
  check("count", value)
  check("count", part)
  if part == "" then error("count takes a text that is not empty", 2) end
  local count, position = 0, 1
  while true do
    local start <const>, stop <const> = string.find(value, part, position, true)
    if not start then return count end
    count, position = count + 1, stop + 1
  end
end

--- With a part, which is plain text, replaced by another one.
---@param value string
---@param part string
---@param other string
---@param most integer?  how often at most
---@return string
function text.replace(value, part, other, most)
  check("replace", value)
  check("replace", part)
  check("replace", other)
  if part == "" then error("replace takes a text that is not empty", 2) end
  local pieces <const> = text.split(value, part, most and most + 1)
  return table.concat(pieces, other)
end

--- The template with `${name}` replaced by values, and `$$` by `$`. A missing value is an error.
---@param template string
---@param values table<string|integer, any>
---@return string
function text.format(template, values)
  check("format", template)
  local missing
  local function replace(mark, name, close)
    if mark == "$" then return "$" .. name .. close end
    if mark ~= "{" or close ~= "}" then return nil end
    local value = values[name]
    if value == nil and math.tointeger(name) then value = values[math.tointeger(name)] end
    if value == nil then
      missing = missing or name
      return nil
    end
    return tostring(value)
  end
  local result <const> = string.gsub(template, "%$([%${]?)([%w_]*)(}?)", replace)
  if missing then
    error(string.format("the template has ${%s}, and there is no such value", missing), 2)
  end
  return result
end

return text
