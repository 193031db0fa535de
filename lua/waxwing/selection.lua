-- SPDX-License-Identifier: MIT
--
-- Patches that do not take part in all calls: `waxwing apply --calls 1%`, `waxwing shadow`,
-- `waxwing replay --patch`. Their overrides are wrapped in functions that decide for each call what
-- runs.

---@class waxwing.Selection
---@field name string           the patch's
---@field mode "part"|"shadow"|"replay"
---@field share number          1: all
---@field has_key boolean
---@field has_condition boolean
---@field allows_effects boolean

---@alias waxwing.SelectionExpression fun(self: any, args: table): any

---@class waxwing.Describing
---@field describe fun(value: any): string
---@field arguments fun(values: table, first: integer, masked: table): string
---@field outcome fun(results: table, is_masked: boolean): string

---@class waxwing.Running
---@field separately fun(f: function, ...): boolean?, any ...  as `pcall`, with a budget of its own;
---nil and a text: it was stopped by that limit
---@field thread fun(): integer   the kernel's id of the thread that runs

---@type waxwing.Host, waxwing.Selection, waxwing.Describing, waxwing.Running
local host <const>, selection <const>, describing <const>, run <const> = ...
local separately <const> = run.separately
local describe <const> = describing.describe
local running <const> = host.running

-- Which calls -------------------------------------------------------------------------------------

---@type waxwing.SelectionExpression?
local condition <const> = selection.has_condition and host.expression("when") or nil
---@type waxwing.SelectionExpression?
local key_of <const> = selection.has_key and host.expression("key") or nil

--- A number from 0 to below 1, the same for the same text in each process: FNV-1a, with its bits
--- mixed.
local function fraction(text)
  local hash = 0xcbf29ce484222325
  for place = 1, #text do hash = (hash ~ string.byte(text, place)) * 0x100000001b3 end
  hash = (hash ~ (hash >> 33)) * 0xff51afd7ed558ccd
  return ((hash ~ (hash >> 33)) >> 11) / 0x1p53
end

--- Whether a key's calls are chosen. Calls without one are not.
local function is_chosen_key(key)
  if key == nil then return false end
  local kind <const> = type(key)
  if kind == "table" or kind == "function" then
    error("--key has to give a text, a number or a Swift value, not a " .. kind, 0)
  end
  return fraction(selection.name .. "\0" .. tostring(key)) < selection.share
end

local function is_chosen_by_key(self, args) return is_chosen_key(key_of(self, args)) end

--- So often an expression may be stopped by a limit. From then on it is not asked: each time costs
--- the program's call as much as the limit lets it.
local most_stops <const> = 5
local failures, stops = 0, 0
local last_failure

--- An expression has failed for a call, which goes to the original: no error of the override.
local function note_failure(name, works, failure)
  if works == nil then stops = stops + 1 end
  local has_text <const>, text <const> = separately(tostring, failure)
  last_failure = name .. " failed: " .. (has_text and text or "with an error that has no text")
  failures = failures + 1
  host.expression_failed()
  if stops == most_stops then
    last_failure = last_failure .. "; it is not asked any more"
  elseif failures ~= 1 and failures % 100 ~= 0 then
    return
  end
  host.log("warn", string.format("%s; %d %s to the original", last_failure, failures,
    failures == 1 and "call has gone" or "calls have gone"))
end

--- What an expression says of a call, with a budget of its own; false: it has failed.
local function ask(name, f, self, args)
  if stops >= most_stops then
    host.expression_failed()
    return false
  end
  local works <const>, value <const> = separately(f, self, args)
  if works then return true, value end
  note_failure(name, works, value)
  return false
end

--- Whether a call is chosen, and why that cannot be told.
local function is_chosen(has_self, ...)
  if selection.mode == "replay" then return host.replaying() end
  if condition or key_of then
    local args <const> = table.pack(select(has_self and 2 or 1, ...))
    local self <const> = has_self and (...) or nil
    if condition then
      local works <const>, is_wanted <const> = ask("--when", condition, self, args)
      if not works then return false, last_failure end
      if not is_wanted then return false end
    end
    if key_of then
      local works <const>, is_wanted <const> = ask("--key", is_chosen_by_key, self, args)
      return works and is_wanted, not works and last_failure or nil
    end
  end
  return selection.share >= 1 or math.random() < selection.share
end

--- An override that takes part in the chosen calls.
local function part(f, has_self)
  return function(...)
    if is_chosen(has_self, ...) then return f(...) end
    return running(...)
  end
end

-- Shadows -----------------------------------------------------------------------------------------

--- What a script is told that would change something: `LuaState.refusal(of:)`.
local refusal <const> = ", and a shadow changes nothing; --effects allows it"

--- One call that is compared.
---@class waxwing.ShadowCall
---@field arguments table   packed, as the program passed them
---@field outcome table?    what came of the original, packed: whether it returned, and what
---@field cost number       seconds that the original took
---@field reason string?    what was refused, also if the script has caught that
---@field limit string?     what has stopped the patch
---@field foreign integer   effects that were refused while the original ran: not this call's
---@field outer waxwing.ShadowCall?

---@type table<thread, waxwing.ShadowCall>
local calls <const> = {}

--- What has been seen since a client asked last: by function, and calls that differ, as
--- ShadowAnswer.swift reads them.
---@type table<string, table>
local tallies = {}
---@type table[]
local differences = {}
local dropped = 0

--- Calls that differ and are kept until a client asks for them.
local most_differences <const> = 200

--- Threads that compare or describe values: what this calls, such as `==` of the program's, are no
--- calls to be compared.
---@type table<integer, boolean>
local looking <const> = {}

--- Runs `f`, which waits for nothing, for the shadow itself.
local function look(f, ...)
  local thread <const> = run.thread()
  looking[thread] = true
  local results <const> = table.pack(separately(f, ...))
  looking[thread] = nil
  return table.unpack(results, 1, results.n)
end

--- A copy, down to the last table, struct and enum: what a script changes is not what the program
--- gets.
local function copied(value)
  local kind <const> = type(value)
  if kind == "userdata" then return host.copy(value, true) or value end
  if kind ~= "table" then return value end
  local copy <const> = {}
  for key, element in next, value do copy[copied(key)] = copied(element) end
  local metatable <const> = getmetatable(value)
  return type(metatable) == "table" and setmetatable(copy, metatable) or copy
end

local function copied_all(values)
  local copies <const> = { n = values.n }
  for place = 1, values.n do copies[place] = copied(values[place]) end
  return copies
end

local is_same

local function is_same_table(a, b)
  for key, value in next, a do
    if not is_same(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

--- Whether two values are alike: by `==`, or by what they consist of.
is_same = function(a, b)
  if rawequal(a, b) then return true end
  local kind <const> = type(a)
  if kind ~= type(b) then return false end
  if kind == "number" then return a == b or (a ~= a and b ~= b) end
  if kind == "table" then return is_same_table(a, b) end
  if kind == "function" then error("functions cannot be compared", 0) end
  if kind ~= "userdata" then return false end
  local works <const>, is_equal <const> = pcall(function() return a == b end)
  return works and is_equal or tostring(a) == tostring(b)
end

local function are_same(a, b)
  if a.n ~= b.n then return false end
  for place = 1, a.n do
    if not is_same(a[place], b[place]) then return false end
  end
  return true
end

--- Runs the original of a call, once.
local function run_original(call)
  local start <const>, refused <const> = host.clock(false), host.refused()
  call.outcome = table.pack(pcall(running, table.unpack(call.arguments, 1, call.arguments.n)))
  call.cost = host.clock(false) - start
  call.foreign = call.foreign + host.refused() - refused
end

--- What `original` and `self:ORIGname` are.
local function original(...)
  local call <const> = calls[coroutine.running()]
  if not call then error("`original` is called outside an override", 2) end
  local works, is_call
  if not call.outcome then
    works, is_call = look(are_same, table.pack(...), call.arguments)
    if not works then error(is_call, 0) end
  end
  if not is_call then
    if selection.allows_effects then return running(...) end
    call.reason = "it would call the original "
      .. (call.outcome and "once more" or "with other arguments")
    error(call.reason .. refusal, 0)
  end
  run_original(call)
  local outcome <const> = copied_all(call.outcome)
  if outcome[1] then return table.unpack(outcome, 2, outcome.n) end
  error(outcome[2], 0)
end

--- Why a call cannot be compared whose patch has failed; nil: the error is the patch's own.
local function obstacle(failure)
  local text <const> = tostring(failure)
  local place <const> = string.find(text, refusal, 1, true)
  local reason <const> = place and string.sub(text, 1, place - 1)
  return reason and (string.match(reason, "it would .*") or reason)
end

--- An error's text: of objects in it, whatever their addresses are.
local function text_without_addresses(failure)
  return (string.gsub(tostring(failure), "@0x%x+", ""))
end

--- "same", "different", "failed": a limit has stopped the patch; or "uncompared" and why.
local function verdict(call, given)
  if call.limit then return "failed" end
  local outcome <const> = call.outcome
  local reason = not given[1] and obstacle(given[2]) or call.reason
  if reason then return "uncompared", reason end
  if outcome[1] ~= given[1] then return "different" end
  if not outcome[1] then
    local is_alike_text <const> =
      text_without_addresses(outcome[2]) == text_without_addresses(given[2])
    return is_alike_text and "same" or "different"
  end
  local works <const>, is_alike <const> = pcall(are_same, outcome, given)
  if not works then
    reason = is_alike
    return "uncompared", tostring(reason)
  end
  return is_alike and "same" or "different"
end

local function note(title, has_self, masked, masks_result, call, given, cost)
  local tally = tallies[title]
  if not tally then
    tally = {
      title = title, same = 0, different = 0, uncompared = 0, failed = 0, original = 0, patch = 0,
    }
    tallies[title] = tally
  end
  local works <const>, judged <const>, why <const> = look(verdict, call, given)
  local what <const> = works and judged or "uncompared"
  local reason <const> = why or not works and tostring(judged) or nil
  tally[what] = tally[what] + 1
  tally.original = tally.original + call.cost
  tally.patch = tally.patch + cost
  if what == "same" then return end
  if #differences >= most_differences then
    dropped = dropped + 1
    return
  end
  local is_described <const>, difference <const> = look(function() return {
    title = title, ended = host.clock(true),
    receiver = has_self and describe(call.arguments[1]) or "",
    arguments = describing.arguments(call.arguments, has_self and 2 or 1, masked),
    succeeded = call.outcome[1], outcome = describing.outcome(call.outcome, masks_result),
    reason = reason, patch_succeeded = not reason and given[1],
    patch_outcome = not reason and (call.limit or describing.outcome(given, masks_result)) or nil,
    cost = call.cost, patch_cost = cost,
  } end)
  -- While values are described, other calls come here.
  if is_described then
    differences[#differences + 1] = difference
  else
    dropped = dropped + 1
  end
end

--- Runs the patch's function with copies of what the program has passed.
local function run_copied(f, values)
  local arguments <const> = copied_all(values)
  return f(table.unpack(arguments, 1, arguments.n))
end

--- A call is over: it is noted, and what has come of the original goes on.
local function finish(title, has_self, masked, masks_result, call, given, cost)
  -- What goes wrong here is not the program's.
  pcall(note, title, has_self, masked, masks_result, call, given, cost)
  local outcome <const> = call.outcome
  if outcome[1] then return table.unpack(outcome, 2, outcome.n) end
  error(outcome[2], 0)
end

--- A call of which nobody knows whether it is chosen, and why.
local function run_alone(title, has_self, masked, masks_result, reason, ...)
  local call <const> = { arguments = table.pack(...), cost = 0, foreign = 0, reason = reason }
  run_original(call)
  return finish(title, has_self, masked, masks_result, call, { true, n = 1 }, 0)
end

--- An override that runs beside the original. The program gets what comes of the original.
local function shadow(f, has_self, title, scope, kind, name)
  local masked <const>, masks_result <const> = host.masked(scope, kind, name)
  return function(...)
    if looking[run.thread()] then return running(...) end
    local is_wanted <const>, failure <const> = is_chosen(has_self, ...)
    if failure then return run_alone(title, has_self, masked, masks_result, failure, ...) end
    if not is_wanted then return running(...) end
    local id <const> = coroutine.running()
    local call <const> = { arguments = table.pack(...), cost = 0, foreign = 0, outer = calls[id] }
    calls[id] = call
    local start <const>, before <const> = host.clock(false), host.refused()
    -- With a budget of its own: where the patch is stopped, the call goes on, and is counted.
    local given <const> = table.pack(separately(run_copied, f, call.arguments))
    local cost <const> = host.clock(false) - start - call.cost
    calls[id] = call.outer
    if given[1] == nil then call.limit, given[1] = given[2], false end
    -- A script may have caught the error: from there on it does what it would not do.
    local refused <const>, effect <const> = host.refused()
    if refused - before > call.foreign then call.reason = call.reason or effect end
    if not call.outcome then run_original(call) end
    return finish(title, has_self, masked, masks_result, call, given, cost)
  end
end

if selection.mode == "shadow" then
  host.answer("comparison", function(number)
    local functions <const> = {}
    for _, tally in next, tallies do functions[#functions + 1] = tally end
    local batch <const> = { functions = functions, calls = differences, dropped = dropped }
    tallies, differences, dropped = {}, {}, 0
    host.reply(number, batch)
  end)
  host.stand_in(original)
end

--- Whether a name is that of a closure, or the symbol of one.
local function is_closure(name)
  return name:find("^closure #") or name:find("^implicit closure #") or name:find("^%$s.*[Uu]%d*_$")
end

return {
  --- An override's function, wrapped.
  wrap = function(f, scope, kind, name, title)
    -- Free functions and closures are called on nothing.
    local has_self <const> = scope.kind ~= "module" and not is_closure(name)
    return (selection.mode == "shadow" and shadow or part)(f, has_self, title, scope, kind,
      name)
  end,
  original = selection.mode == "shadow" and original or running,
}
