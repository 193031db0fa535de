-- SPDX-License-Identifier: MIT
--
-- The universal tracker: one table says which methods are watched, two functions hear of their calls.

---@class waxwing.Tracker
local tracker <const> = {}

---@class waxwing.TrackedCall
---@field class string       the class whose row it is
---@field selector string
---@field label any          what the row says besides the selector
---@field object any
---@field arguments table    with `n`
---@field result any         did: what the method has returned
---@field threw boolean      did: the method has thrown; `error` has it
---@field error any
---@field duration number    did: seconds, waits included

---@class waxwing.TrackerOptions
---@field will (fun(call: waxwing.TrackedCall))?  before each call
---@field did (fun(call: waxwing.TrackedCall))?   after each call
---@field on_error (fun(problem: string))?  what becomes of errors in `will` and `did`; they are logged

---@class waxwing.Tracking
---@field tracked string[]   "Shop.Account.deposit(_:)", sorted
---@field unknown table<string, string>  what is not tracked, and why
---@field calls integer      how many calls have ended
---@field stop fun(self: waxwing.Tracking): integer  ends it; how many methods were tracked

local function report(options, problem)
  if options.on_error then
    options.on_error(tostring(problem))
  else
    log.error("a tracker's function failed: " .. tostring(problem))
  end
end

--- Calls what hears of a call: whatever it does, the call goes on.
local function tell(options, name, call)
  local f <const> = options[name]
  if not f then return end
  local works <const>, problem <const> = pcall(f, call)
  if not works then report(options, problem) end
end

local function follow(state, options, class_name, selector, label)
  return function(self, ...)
    local call <const> = {
      class = class_name, selector = selector, label = label, object = self, arguments = table.pack(...),
    }
    tell(options, "will", call)
    local began <const> = clock()
    local results <const> = table.pack(pcall(original, self, ...))
    call.duration = clock() - began
    call.threw = not results[1]
    if call.threw then call.error = results[2] else call.result = results[2] end
    state.calls = state.calls + 1
    tell(options, "did", call)
    if call.threw then throw(results[2]) end
    return table.unpack(results, 2, results.n)
  end
end

--- A row's selectors with what they are labelled: { "a()", "b()" } or { ["a()"] = "label" }.
local function rows(selectors)
  local list <const> = {}
  for key, value in next, selectors do
    if math.type(key) == "integer" then
      list[#list + 1] = { selector = value }
    else
      list[#list + 1] = { selector = key, label = value }
    end
  end
  table.sort(list, function(a, b) return tostring(a.selector) < tostring(b.selector) end)
  return list
end

--- Tracks methods: `{ ["Shop.Account"] = { "deposit(_:)", ["withdraw(_:)"] = "money out" } }`. Classes
--- and selectors that there are not are reported, in `unknown` and the log, and stop nothing.
---@param classes table<string, (string|table<string, any>)[]>
---@param options waxwing.TrackerOptions
---@return waxwing.Tracking
function tracker.start(classes, options)
  if type(classes) ~= "table" then
    error(string.format("start takes a table of classes and their selectors, not a %s", type(classes)), 2)
  end
  if type(options) ~= "table" or not (options.will or options.did) then
    error("start takes a table with a function `will` or `did`", 2)
  end
  local tracking <const> = { tracked = {}, unknown = {}, calls = 0 }
  local tokens <const> = {}
  for class_name, selectors in next, classes do
    local name <const> = tostring(class_name)
    local is_known <const>, target <const> = pcall(class, name)
    if type(selectors) ~= "table" then selectors = { selectors } end
    for _, row in ipairs(rows(selectors)) do
      local place <const> = name .. "." .. tostring(row.selector)
      local works, result = is_known, target
      if works then
        works, result = pcall(function()
          return target:instead(row.selector, follow(tracking, options, name, row.selector, row.label))
        end)
      end
      if works then
        tokens[#tokens + 1] = result
        tracking.tracked[#tracking.tracked + 1] = place
      else
        tracking.unknown[place] = string.gsub(tostring(result), "^[^:]*:%d+: ", "")
        log.warn("not tracked: " .. place, { why = tracking.unknown[place] })
      end
    end
  end
  table.sort(tracking.tracked)
  function tracking.stop()
    local count = 0
    for index = #tokens, 1, -1 do
      if tokens[index]:remove() then count = count + 1 end
      tokens[index] = nil
    end
    return count
  end
  return tracking
end

return tracker
