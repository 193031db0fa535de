-- SPDX-License-Identifier: MIT
--
-- The universal tracker: one table says which methods are watched, two functions hear of their
-- calls.

local aspects <const> = require "waxwing.aspects"

---@class waxwing.Tracker
local tracker <const> = {}

---@class waxwing.TrackedCall
---@field class string       the class whose row it is
---@field selector string
---@field label any          what the row says besides the selector: a name, a table
---@field object any
---@field arguments table    with `n`
---@field result any         did: what the method has returned
---@field threw boolean      did: the method has thrown; `error` has it
---@field error any
---@field duration number    did: seconds, waits included

---@class waxwing.TrackerOptions
---@field will (fun(call: waxwing.TrackedCall))?  before each call
---@field did (fun(call: waxwing.TrackedCall))?   after each call
---@field on_error (fun(problem: string))?  gets errors of `will` and `did`, which else are logged

---@class waxwing.Tracking
---@field tracked string[]   "Shop.Account.deposit(_:)", sorted
---@field unknown table<string, string>  what is not tracked, and why
---@field calls integer      how many calls have ended
---@field is_stopped boolean
---@field stop fun(self: waxwing.Tracking): integer  ends it; how many methods were tracked

local function report(options, problem)
  if options.on_error then
    local works <const>, again <const> = pcall(options.on_error, tostring(problem))
    if works then return end
    problem = again
  end
  log.error("a tracker's function failed: " .. tostring(problem))
end

--- The threads on which `will` or `did` runs: what they call themselves is not tracked, or a `did`
--- that calls a tracked method would never end.
local telling <const> = {}

--- Calls what hears of a call: whatever it does, the call goes on.
local function tell(tracking, options, name, call)
  local f <const> = options[name]
  if not f or tracking.is_stopped then return end
  local id <const> = thread()
  telling[id] = true
  local works <const>, problem <const> = pcall(f, call)
  if not works then report(options, problem) end
  telling[id] = nil
end

--- What stands instead of a method. `wanted`: the class whose objects it is for, if a class above
--- declares the method.
local function follow(tracking, options, class_name, row, wanted)
  return function(self, ...)
    if telling[thread()] or wanted and not is(self, wanted) then return original(self, ...) end
    local call <const> = {
      class = class_name, selector = row.selector, label = row.label, object = self,
      arguments = table.pack(...),
    }
    tell(tracking, options, "will", call)
    local began <const> = clock()
    local results <const> = table.pack(pcall(original, self, ...))
    call.duration = clock() - began
    call.threw = not results[1]
    if call.threw then call.error = results[2] else call.result = results[2] end
    tracking.calls = tracking.calls + 1
    tell(tracking, options, "did", call)
    if call.threw then throw(results[2]) end
    return table.unpack(results, 2, results.n)
  end
end

--- Follows a method, in the class that declares it.
---@return any token  nil if that is not possible
---@return string? problem
local function attach(tracking, options, class_name, row)
  if type(row.selector) ~= "string" then
    return nil, string.format("a selector is a text like \"deposit(_:)\", not a %s",
      type(row.selector))
  end
  return aspects.advise(class_name, row.selector, "instead", function(wanted)
    return follow(tracking, options, class_name, row, wanted)
  end)
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

--- The names of the classes with their rows, in the names' order.
local function sorted(classes)
  local list <const> = {}
  for name, selectors in next, classes do
    if type(selectors) ~= "table" then selectors = { selectors } end
    list[#list + 1] = { name = tostring(name), rows = rows(selectors) }
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

--- Tracks methods: `{ ["Shop.Account"] = { "deposit(_:)", ["withdraw(_:)"] = "money out" } }`.
--- Classes and selectors that there are not are reported, in `unknown` and the log, and stop
--- nothing.
---@param classes table<string, string|table<string|integer, any>>
---@param options waxwing.TrackerOptions
---@return waxwing.Tracking
function tracker.start(classes, options)
  if type(classes) ~= "table" then
    error(string.format("start takes a table of classes and their selectors, not a %s",
      type(classes)), 2)
  end
  if type(options) ~= "table" or not (options.will or options.did) then
    error("start takes a table with a function `will` or `did`", 2)
  end
  for _, name in ipairs { "will", "did", "on_error" } do
    if options[name] ~= nil and type(options[name]) ~= "function" then
      error(string.format("`%s` is a function, not a %s", name, type(options[name])), 2)
    end
  end
  local tracking <const> = { tracked = {}, unknown = {}, calls = 0, is_stopped = false }
  local tokens <const> = {}
  for _, group in ipairs(sorted(classes)) do
    for _, row in ipairs(group.rows) do
      local place_name <const> = group.name .. "." .. tostring(row.selector)
      local token <const>, problem <const> = attach(tracking, options, group.name, row)
      if token then
        tokens[#tokens + 1] = token
        tracking.tracked[#tracking.tracked + 1] = place_name
      else
        tracking.unknown[place_name] = problem
        log.warn("not tracked: " .. place_name, { why = problem })
      end
    end
  end
  table.sort(tracking.tracked)
  function tracking.stop()
    local count = 0
    tracking.is_stopped = true
    for index = #tokens, 1, -1 do
      if tokens[index]:remove() then count = count + 1 end
      tokens[index] = nil
    end
    return count
  end
  return tracking
end

return tracker
