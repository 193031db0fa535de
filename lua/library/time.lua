-- SPDX-License-Identifier: MIT
--
-- Moments, ISO 8601, durations as text, and functions that run again and again.

---@class waxwing.Time
local time <const> = {}

--- Seconds since 1970, with a fraction.
---@return number
function time.now() return clock("wall") end

--- Seconds of a clock that never jumps, for durations.
---@return number
function time.monotonic() return clock() end

-- The calendar: days since 1970 and dates of the Gregorian calendar, also before it was introduced.
-- After "chrono-Compatible Low-Level Date Algorithms" by Howard Hinnant.

local function days_of(year, month, day)
  if month <= 2 then year = year - 1 end
  local era <const> = year // 400
  local year_of_era <const> = year - era * 400
  local day_of_year <const> = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  return era * 146097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    - 719468
end

local function date_of(days)
  local shifted <const> = days + 719468
  local era <const> = shifted // 146097
  local day_of_era <const> = shifted - era * 146097
  local year_of_era <const> = (day_of_era - day_of_era // 1460 + day_of_era // 36524
    - day_of_era // 146096) // 365
  local day_of_year <const> = day_of_era
    - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
  local shifted_month <const> = (5 * day_of_year + 2) // 153
  local day <const> = day_of_year - (153 * shifted_month + 2) // 5 + 1
  local month <const> = shifted_month + (shifted_month < 10 and 3 or -9)
  return year_of_era + era * 400 + (month <= 2 and 1 or 0), month, day
end

local lengths <const> = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }

local function is_leap(year) return year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0) end

local function length_of(year, month)
  return month == 2 and is_leap(year) and 29 or lengths[month]
end

--- The greatest moment that ISO 8601 writes with four digits for the year.
local last_moment <const> = 253402300799
local first_moment <const> = -62167219200

---@class waxwing.DateParts
---@field year integer
---@field month integer    1 to 12
---@field day integer
---@field hour integer
---@field minute integer
---@field second number    with a fraction, if the moment has one
---@field weekday integer  1 is Monday

--- A moment's date and time in UTC.
---@param moment number  seconds since 1970
---@return waxwing.DateParts
function time.parts(moment)
  if type(moment) ~= "number" or moment ~= moment then
    error(string.format("a moment is a number of seconds since 1970, not %s", tostring(moment)), 2)
  end
  if moment < first_moment or moment >= last_moment + 1 then
    error(string.format("the moment %s is not in the years 0 to 9999", tostring(moment)), 2)
  end
  local whole <const> = math.floor(moment)
  local fraction <const> = moment - whole
  local days <const>, seconds <const> = whole // 86400, whole % 86400
  local year <const>, month <const>, day <const> = date_of(days)
  return {
    year = year, month = month, day = day, hour = seconds // 3600, minute = seconds // 60 % 60,
    second = fraction > 0 and seconds % 60 + fraction or seconds % 60, weekday = (days + 3) % 7 + 1,
  }
end

--- A moment as ISO 8601 (RFC 3339) in UTC: "2026-05-04T03:02:01Z".
---@param moment number?  seconds since 1970; now
---@param digits integer?  of the fraction, which is cut off; 0
---@return string
function time.iso(moment, digits)
  moment, digits = moment or time.now(), digits or 0
  if math.type(digits) ~= "integer" or digits < 0 or digits > 9 then
    error("the fraction has 0 to 9 digits", 2)
  end
  local works <const>, parts <const> = pcall(time.parts, moment)
  if not works then error(string.gsub(parts, "^[^:]*:%d+: ", ""), 2) end
  local text <const> = string.format("%04d-%02d-%02dT%02d:%02d:%02d", parts.year, parts.month,
    parts.day, parts.hour, parts.minute, math.floor(parts.second))
  if digits == 0 then return text .. "Z" end
  local fraction <const> = moment - math.floor(moment)
  local most <const> = math.tointeger(10 ^ digits)
  local shown <const> = math.min(math.floor(fraction * most + 1e-6), most - 1)
  return string.format("%s.%0" .. digits .. "dZ", text, shown)
end

--- The moment of an ISO 8601 text: a date, or a date and time with Z or an offset.
---@param text string
---@return number  seconds since 1970; an integer if the text has no fraction
function time.parse(text)
  if type(text) ~= "string" then
    error(string.format("parse takes a string, not a %s", type(text)), 2)
  end
  local function refuse(reason)
    error(string.format("'%s' is no moment of ISO 8601: %s", text, reason), 3)
  end
  local year, month, day, rest = string.match(text, "^(%d%d%d%d)-(%d%d)-(%d%d)(.*)$")
  if not year then refuse("it does not begin with a date, 2026-05-04") end
  year, month, day = math.tointeger(year), math.tointeger(month), math.tointeger(day)
  if month < 1 or month > 12 then refuse("there is no such month") end
  if day < 1 or day > length_of(year, month) then refuse("there is no such day") end
  local moment <const> = days_of(year, month, day) * 86400
  if rest == "" then return moment end
  local hour, minute, second, tail = string.match(rest, "^[Tt ](%d%d):(%d%d):(%d%d)(.*)$")
  if not hour then refuse("the time is like 03:02:01") end
  hour, minute, second = math.tointeger(hour), math.tointeger(minute), math.tointeger(second)
  if hour > 23 or minute > 59 or second > 60 then refuse("there is no such time") end
  local fraction <const>, zone <const> = string.match(tail, "^(%.?%d*)(.*)$")
  if fraction == "." or fraction ~= "" and string.sub(fraction, 1, 1) ~= "." then
    refuse("the fraction has no digits")
  end
  local offset = 0
  if zone ~= "Z" and zone ~= "z" then
    local sign <const>, hours <const>, minutes <const> = string.match(zone, "^([+-])(%d%d):(%d%d)$")
    if not sign then refuse("it ends with Z or an offset, +02:00") end
    if math.tointeger(hours) > 23 or math.tointeger(minutes) > 59 then
      refuse("there is no such offset")
    end
    offset = (math.tointeger(hours) * 60 + math.tointeger(minutes)) * (sign == "+" and 60 or -60)
  end
  local whole <const> = moment + hour * 3600 + minute * 60 + second - offset
  return fraction == "" and whole or whole + tonumber("0" .. fraction)
end

local units <const> = { { "d", 86400 }, { "h", 3600 }, { "m", 60 }, { "s", 1 }, { "ms", 0.001 } }

--- A duration as text: "1h 2m", "350ms".
---@param seconds number
---@param most integer?  so many units at most; 2
---@return string
function time.duration(seconds, most)
  if type(seconds) ~= "number" or seconds ~= seconds then
    error(string.format("a duration is a number of seconds, not %s", tostring(seconds)), 2)
  end
  if seconds == math.huge or seconds == -math.huge then return tostring(seconds) end
  local sign <const> = seconds < 0 and "-" or ""
  local left = math.abs(seconds)
  local parts <const> = {}
  for _, unit in ipairs(units) do
    local count <const> = math.floor(left / unit[2] + 1e-9)
    local is_first <const> = #parts == 0
    if count > 0 and (unit[1] ~= "ms" or is_first) then
      parts[#parts + 1] = string.format("%d%s", count, unit[1])
      left = left - count * unit[2]
    elseif not is_first then
      most = (most or 2) - 1 -- what is in between counts
    end
    if #parts >= (most or 2) then break end
  end
  return sign .. (#parts > 0 and table.concat(parts, " ") or "0s")
end

---@class waxwing.Repetition
---@field runs integer      how often it has run
---@field failures integer  how often it has failed
---@field cancelled boolean
---@field cancel fun(self: waxwing.Repetition): boolean  ends it; false if it has ended

--- Runs a function again and again, the first time after the interval. It may wait; the next
--- interval begins when it has returned. It ends by its token, when it returns false, or with the
--- patch. Errors are logged and end nothing.
---@param seconds number  the interval, more than 0
---@param f fun(token: waxwing.Repetition): any
---@return waxwing.Repetition
function time.every(seconds, f)
  if type(seconds) ~= "number" or seconds ~= seconds or seconds <= 0 then
    error("every takes a number of seconds that is more than 0", 2)
  end
  if type(f) ~= "function" then
    error(string.format("every takes a function, not a %s", type(f)), 2)
  end
  local token <const> = { runs = 0, failures = 0, cancelled = false }
  local running
  function token.cancel(self)
    if self.cancelled then return false end
    self.cancelled = true
    running:cancel()
    return true
  end
  running = task(function()
    while not token.cancelled do
      -- A cancelled task's wait raises.
      if not pcall(sleep, seconds) or token.cancelled or cancelled() then break end
      token.runs = token.runs + 1
      local works <const>, result <const> = pcall(f, token)
      if works and result == false then break end
      if not works then
        if cancelled() then break end
        token.failures = token.failures + 1
        log.error("a repeated function failed: " .. tostring(result))
      end
    end
    token.cancelled = true
  end)
  return token
end

return time
