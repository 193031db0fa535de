-- SPDX-License-Identifier: MIT
--
-- Base64 of RFC 4648, with the alphabet for URLs too.

---@class waxwing.Base64
local base64 <const> = {}

---@class waxwing.Base64Options
---@field url boolean?      the alphabet for URLs and file names: - and _
---@field padding boolean?  `=` at the end; without it, only in the other alphabet

local letters <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

--- What 0 to 63 are written as, and what that stands for.
local function alphabet(rest)
  local symbols <const>, values <const> = {}, {}
  for symbol in string.gmatch(letters .. rest, ".") do
    values[symbol] = #symbols
    symbols[#symbols + 1] = symbol
  end
  symbols[0] = table.remove(symbols, 1)
  local other <const> = "[^%w" .. string.gsub(rest, "%-", "%%-") .. "]"
  return { symbols = symbols, values = values, other = other }
end

local standard <const>, for_urls <const> = alphabet("+/"), alphabet("-_")

local function check_text(what, text)
  if type(text) ~= "string" then
    error(string.format("%s takes a string, not a %s", what, type(text)), 3)
  end
end

--- Bytes as text.
---@param bytes string
---@param options waxwing.Base64Options?
---@return string
function base64.encode(bytes, options)
  check_text("encode", bytes)
  local given <const> = options or {}
  local symbols <const> = (given.url and for_urls or standard).symbols
  local parts <const> = {}
  local whole <const> = #bytes // 3 * 3
  for index = 1, whole, 3 do
    local a <const>, b <const>, c <const> = string.byte(bytes, index, index + 2)
    local bits <const> = a << 16 | b << 8 | c
    parts[#parts + 1] = symbols[bits >> 18] .. symbols[bits >> 12 & 63] .. symbols[bits >> 6 & 63]
      .. symbols[bits & 63]
  end
  local rest <const> = #bytes - whole
  if rest > 0 then
    local a <const>, b <const> = string.byte(bytes, whole + 1, -1)
    local bits <const> = a << 16 | (b or 0) << 8
    parts[#parts + 1] = symbols[bits >> 18] .. symbols[bits >> 12 & 63]
    if rest == 2 then parts[#parts + 1] = symbols[bits >> 6 & 63] end
    local is_padded = given.padding
    if is_padded == nil then is_padded = not given.url end
    if is_padded then parts[#parts + 1] = string.rep("=", 3 - rest) end
  end
  return table.concat(parts)
end

--- The bytes of a text. The padding may be missing only where the options say so; anything else
--- that is not base64 is an error with its position.
---@param text string
---@param options waxwing.Base64Options?
---@return string
function base64.decode(text, options)
  check_text("decode", text)
  local given <const> = options or {}
  local set <const> = given.url and for_urls or standard
  local values <const> = set.values
  local body <const>, padding <const> = string.match(text, "^(.-)(=*)$")
  local wrong <const> = string.find(body, set.other)
  if wrong then
    error(string.format("base64 has no '%s', at position %d",
      string.match(body, "^" .. utf8.charpattern, wrong) or string.sub(body, wrong, wrong), wrong),
      2)
  end
  local rest <const> = #body % 4
  if rest == 1 then error("base64 ends in the middle of a byte", 2) end
  local wanted <const> = rest == 0 and 0 or 4 - rest
  local may_lack <const> = given.padding == false or given.padding == nil and given.url
  local is_missing <const> = #padding ~= wanted and not (#padding == 0 and may_lack)
  if is_missing or #padding > 0 and given.padding == false then
    error(string.format("base64 ends with %d '=' here, not %d",
      given.padding == false and 0 or wanted, #padding), 2)
  end
  local parts <const> = {}
  for index = 1, #body - rest, 4 do
    local a <const>, b <const>, c <const>, d <const> = string.byte(body, index, index + 3)
    local bits <const> = values[string.char(a)] << 18 | values[string.char(b)] << 12
      | values[string.char(c)] << 6 | values[string.char(d)]
    parts[#parts + 1] = string.char(bits >> 16, bits >> 8 & 255, bits & 255)
  end
  if rest > 0 then
    local first <const> = #body - rest + 1
    local bits = 0
    for offset = 0, 3 do
      local symbol <const> = string.sub(body, first + offset, first + offset)
      bits = bits << 6 | (values[symbol] or 0)
    end
    local left <const> = rest == 2 and bits & 0xFFFF or bits & 0xFF
    if left ~= 0 then error("base64 has bits that belong to no byte at its end", 2) end
    parts[#parts + 1] = rest == 2 and string.char(bits >> 16)
      or string.char(bits >> 16, bits >> 8 & 255)
  end
  return table.concat(parts)
end

return base64
