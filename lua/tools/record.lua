-- SPDX-License-Identifier: MIT
--
-- What `waxwing record` runs in a daemon: overrides that call the original, and keep the call and
-- what came of it, so that it can be made again. The engine writes the patch that uses this, with
-- one line for each function.

---@class waxwing.RecordOptions
---@field capacity integer   calls that are kept; the oldest are forgotten
---@field most integer?      keep so many calls, and no more
---@field is_weak boolean    objects are not kept alive
---@field shows_fields boolean?  show properties that can change, too
---@field where waxwing.TraceExpression?

--- A call that is kept.
---@class waxwing.RecordedCall
---@field index integer      the function's
---@field arguments table    packed, the receiver first
---@field shown table        what is said of it, as RecordAnswer.swift reads it

local describing <const> = require "describe"
local describe <const> = describing.describe

--- What the program gets is changed by nobody, and what is kept is not changed by the program.
local function copied(value)
  local kind <const> = type(value)
  if kind == "userdata" then return copy(value, true) or value end
  if kind ~= "table" then return value end
  local result <const> = {}
  for key, element in next, value do result[copied(key)] = copied(element) end
  return result
end

--- What is kept of a value: (value, is_weak) -> a function that gives it, or nil and why it is gone
local function kept(value, is_weak)
  if is_weak and type(value) == "userdata" then
    local works <const>, reference <const> = pcall(weak, value)
    if works then
      local text <const> = describe(value)
      return function()
        local object <const> = reference.object
        if object == nil then return nil, text .. " is dead: record without --weak" end
        return object
      end
    end
  end
  local copy_of <const> = copied(value)
  return function() return copied(copy_of) end
end

---@param options waxwing.RecordOptions
---@return fun(f: table): function  makes an override
return function(options)
  if options.shows_fields then describing.show_fields() end
  local calls <const> = {}    ---@type table<integer, waxwing.RecordedCall>
  local functions <const> = {}
  local last, forgotten, noted = 0, 0, 0
  local is_on = true
  local replaying             ---@type integer?  the thread that makes a call again

  --- So often a limit may stop the condition. Then it is not asked any more.
  local stops, most_stops <const> = 0, 5

  local function is_wanted(self, args, results, cost)
    if not options.where then return true end
    local result, problem
    if results[1] then result = results[2] else problem = results[2] end
    if stops >= most_stops then return true end
    -- With a budget of its own: what it does wrong is not the call's.
    local works <const>, wanted <const> =
      separately(options.where, self, args, result, problem, cost)
    if works == nil then stops = stops + 1 end
    return not works or wanted
  end

  local function note(f, began, cost, results, arguments, texts, receiver)
    if not is_on or (options.most and noted >= options.most) then return end
    local args <const> = { n = arguments.n - (f.has_self and 1 or 0) }
    local self <const> = f.has_self and arguments[1]() or nil
    for place = 1, args.n do
      args[place] = arguments[place + (f.has_self and 1 or 0)]()
    end
    if not is_wanted(self, args, results, cost) then return end
    -- While values are described, other calls come here.
    local outcome <const> = describing.outcome(results, f.masks_result)
    local number <const> = last + 1
    local shown <const> = {
      number = number, point = f.index, thread = thread(), began = began, cost = cost,
      succeeded = results[1], receiver = receiver, arguments = table.concat(texts, ", "),
      outcome = outcome,
    }
    calls[number] = { index = f.index, arguments = arguments, shown = shown }
    noted, last = noted + 1, number
    if last - forgotten > options.capacity then
      forgotten = forgotten + 1
      calls[forgotten] = nil
    end
  end

  --- Keeps a call's arguments as they are before the call.
  local function keep(f, ...)
    local arguments <const>, texts <const> = { n = select("#", ...) }, {}
    local first <const> = f.has_self and 2 or 1
    for place = 1, arguments.n do
      local value <const> = select(place, ...)
      arguments[place] = kept(value, options.is_weak)
      if place >= first then
        texts[#texts + 1] = f.masked[#texts + 1] and "•••" or describe(value)
      end
    end
    return arguments, texts, f.has_self and describe((...)) or ""
  end

  local function record(f, ...)
    local works <const>, arguments <const>, texts <const>, receiver <const> = pcall(keep, f, ...)
    local began <const>, start <const> = clock("wall"), clock()
    local results <const> = table.pack(pcall(original, ...))
    local cost <const> = clock() - start
    -- What goes wrong here is not the program's.
    if works then pcall(note, f, began, cost, results, arguments, texts, receiver) end
    if results[1] then return table.unpack(results, 2, results.n) end
    error(results[2], 0)
  end

  local function list(after)
    local shown <const> = {}
    for number = math.max(after, forgotten) + 1, last do shown[#shown + 1] = calls[number].shown end
    return { calls = shown, forgotten = forgotten }
  end

  --- Whether a call was not made, as its function runs on an actor. An error of the program's is no
  --- string.
  local function wants_actor(results)
    return not results[1] and type(results[2]) == "string"
      and string.find(results[2], "belongs to an actor, and code cannot wait", 1, true) ~= nil
  end

  --- Makes a call again.
  ---@param on_actor fun(again: function)?  nil: it may wait; else what to do where it has to
  local function run(f, arguments, reply, on_actor)
    local values <const> = {}
    for place = 1, arguments.n do
      local value <const>, gone <const> = arguments[place]()
      if gone then return reply(nil, gone) end
      values[place] = value
    end
    local start <const> = clock()
    local results <const> = table.pack(pcall(f.call(), table.unpack(values, 1, arguments.n)))
    local cost <const> = clock() - start
    if on_actor and wants_actor(results) then
      return on_actor(function() run(f, arguments, reply) end)
    end
    reply({
      cost = cost, succeeded = results[1], outcome = describing.outcome(results, f.masks_result),
    })
  end

  local function replay(number, has_patch, reply)
    local call <const> = calls[number]
    if not call then
      if forgotten == last then
        return reply(nil, string.format("there is no call %d: none is kept yet", number))
      end
      return reply(nil, string.format("there is no call %d: there are %d to %d", number,
        forgotten + 1, last))
    end
    local f <const> = functions[call.index]
    if f.obstacle then return reply(nil, f.obstacle) end
    if f.is_async and has_patch then
      return reply(nil, "calls of async functions cannot be made again through a patch that is not "
        .. "applied: they do not stay on their thread")
    end
    if f.is_async then return task(function() run(f, call.arguments, reply) end) end
    replaying = thread()
    local _ <close> = setmetatable({}, { __close = function() replaying = nil end })
    run(f, call.arguments, reply, function(again)
      if has_patch then
        return reply(nil, "calls of an actor's methods cannot be made again through a patch that "
          .. "is not applied: they run on the actor, and do not stay on their thread")
      end
      task(again)
    end)
  end

  answer("replay", function(reply, number, has_patch) replay(number, has_patch, reply) end)
  answer("count", function(reply) reply({ count = last - forgotten }) end)
  answer("kept", function(reply, after) reply(list(after)) end)
  answer("stop", function(reply)
    is_on = false
    reply(list(last))
  end)

  return function(f)
    functions[f.index] = f
    return function(...)
      if not is_on or replaying == thread() then return original(...) end
      return record(f, ...)
    end
  end
end
