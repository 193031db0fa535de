-- SPDX-License-Identifier: MIT
--
-- Short texts of values, for those who watch calls: traces, shadows, records.

--- Bytes of a described value, and elements of a described table.
local longest, most_elements <const> = 200, 10

local function cut(text)
  text = string.gsub(text, "%c", " ")
  if #text <= longest then return text end
  return string.sub(text, 1, longest) .. "…"
end

--- What gives a Swift value's text.
local text_of = tostring

local function text_in_any_case(value, shows_fields)
  local works, text = pcall(shows_fields and reveal or text_of, value)
  if not works then works, text = pcall(tostring, value) end
  return works and text or "a " .. type(value)
end

--- From now on properties that can change are shown, too.
local function show_fields() text_of, longest = reveal, 1000 end

local describe

local function describe_table(value, level)
  if level > 2 then return "{…}" end
  local parts <const>, count <const> = {}, #value
  for index = 1, math.min(count, most_elements) do
    parts[index] = describe(value[index], level + 1)
  end
  local others = 0
  for key, element in next, value do
    if not (math.type(key) == "integer" and key >= 1 and key <= count) then
      others = others + 1
      if others > most_elements then break end
      parts[#parts + 1] = tostring(key) .. ": " .. describe(element, level + 1)
    end
  end
  local text <const> = table.concat(parts, ", ")
  if count > most_elements then return "[" .. text .. ", … " .. count .. " in all]" end
  return (others > most_elements and "[" .. text .. ", …]") or "[" .. text .. "]"
end

describe = function(value, level)
  local kind <const> = type(value)
  if kind == "string" then return '"' .. cut(value) .. '"' end
  if kind == "table" then
    local has_text <const>, text <const> = pcall(tostring, value)
    if has_text and not string.find(text, "^table: ") then return cut(text) end
    return cut(describe_table(value, level))
  end
  if kind == "function" then return "a function" end
  return cut(text_in_any_case(value))
end

--- A value's whole text, on one line, up to a bound that no list of objects reaches soon.
---@param shows_fields boolean?  show properties that can change, too
local function whole(value, shows_fields)
  return string.sub(string.gsub(text_in_any_case(value, shows_fields), "%c", " "), 1, 4000)
end

--- What came of a call, packed: an error, or its results.
---@param is_masked boolean?  the results are shown to nobody
local function outcome(results, is_masked)
  if not results[1] then return cut(tostring(results[2])) end
  local texts <const> = {}
  for place = 2, results.n do
    texts[#texts + 1] = is_masked and "•••" or describe(results[place], 1)
  end
  return table.concat(texts, ", ")
end

--- Arguments, packed, from a place on.
---@param masked table<integer, boolean>?  those that are shown to nobody, the first being 1
local function arguments(values, first, masked)
  local texts <const> = {}
  for place = first, values.n do
    local number <const> = place - first + 1
    texts[number] = masked and masked[number] and "•••" or describe(values[place], 1)
  end
  return table.concat(texts, ", ")
end

return {
  outcome = outcome, arguments = arguments, whole = whole, cut = cut,
  show_fields = show_fields,
  describe = function(value) return describe(value, 1) end,
}
