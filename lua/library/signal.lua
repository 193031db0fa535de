-- SPDX-License-Identifier: MIT
--
-- Streams of values over time: calls of methods, properties, timers, Swift's async sequences, and what is
-- made of them. The operators have the names of ReactiveSwift and RxSwift in snake_case.

---@class waxwing.Signals
local signal <const> = {}

---@class waxwing.Observer
---@field next (fun(value: any))?
---@field error (fun(problem: any))?
---@field completed fun()?

---@class waxwing.Disposable
---@field disposed boolean
---@field dispose fun(self: waxwing.Disposable): boolean  false if it was disposed before

-- Disposables -------------------------------------------------------------------------------------

local function disposable(action)
  local self <const> = { disposed = false }
  function self.dispose()
    if self.disposed then return false end
    self.disposed = true
    if action then action() end
    return true
  end
  return self
end

--- Disposes of several together; `add` disposes at once of what comes too late.
---@class waxwing.CompositeDisposable: waxwing.Disposable
---@field add fun(self: waxwing.CompositeDisposable, item: waxwing.Disposable): waxwing.Disposable

local function composite()
  local items = {}
  local self
  self = disposable(function()
    local all <const> = items
    items = {}
    for index = #all, 1, -1 do all[index]:dispose() end
  end)
  function self.add(_, item)
    if self.disposed then item:dispose() else items[#items + 1] = item end
    return item
  end
  function self.remove(_, item)
    for index, other in ipairs(items) do
      if other == item then table.remove(items, index) end
    end
  end
  return self
end

--- A disposable of an action, which runs once.
---@param action fun()?
---@return waxwing.Disposable
function signal.disposable(action)
  local made <const> = disposable(action)
  return made
end

--- A disposable that disposes of others.
---@return waxwing.CompositeDisposable
function signal.composite()
  local made <const> = composite()
  return made
end

-- Schedulers --------------------------------------------------------------------------------------

---@class waxwing.Scheduler
---@field now fun(self: waxwing.Scheduler): number
---@field schedule fun(self: waxwing.Scheduler, delay: number, action: fun()): waxwing.Disposable

local real <const> = {}

function real.now() return clock() end

function real.schedule(_, delay, action)
  local token
  local self <const> = disposable(function() token:cancel() end)
  token = after(delay, function()
    if self.disposed then return end
    self.disposed = true
    action()
  end)
  return self
end

--- A scheduler whose time goes on only by `advance(seconds)`: for tests.
---@return waxwing.Scheduler
function signal.virtual_scheduler()
  local time, number, due = 0, 0, {}
  local self <const> = {}
  function self.now() return time end
  function self.schedule(_, delay, action)
    number = number + 1
    local entry <const> = { at = time + math.max(delay, 0), number = number, action = action }
    due[#due + 1] = entry
    return disposable(function() entry.action = nil end)
  end
  --- Lets time go on, and runs what is due meanwhile, in order.
  function self.advance(_, seconds)
    local stop <const> = time + seconds
    while true do
      local first
      for index, entry in ipairs(due) do
        local is_earlier <const> = not first or entry.at < due[first].at
          or entry.at == due[first].at and entry.number < due[first].number
        if entry.at <= stop + 1e-9 and is_earlier then first = index end
      end
      if not first then break end
      local entry <const> = table.remove(due, first)
      time = math.max(time, entry.at)
      if entry.action then entry.action() end
    end
    time = stop
  end
  return self
end

-- Signals -----------------------------------------------------------------------------------------

---@class waxwing.Signal
local Signal <const> = {}
Signal.__index = Signal

--- What ends all that is going on when the patch ends.
local everything <const> = composite()
local is_ending_watched = pcall(on, "ending", function() everything:dispose() end)

local function report(problem) log.error("a signal's observer failed: " .. tostring(problem)) end

--- What a producer tells: nothing after the end, and a failing handler ends the subscription.
local function sink(observer, subscription)
  local self <const> = { is_closed = false }
  local function close()
    self.is_closed = true
    subscription:dispose()
  end
  function self.next(value)
    if self.is_closed or subscription.disposed then return end
    if not observer.next then return end
    local works <const>, problem <const> = pcall(observer.next, value)
    if not works then
      close()
      if observer.fails then observer.fails(problem) else report(problem) end
    end
  end
  function self.error(problem)
    if self.is_closed or subscription.disposed then return end
    self.is_closed = true
    if observer.error then
      local works <const>, other <const> = pcall(observer.error, problem)
      if not works then report(other) end
    elseif not observer.is_inner then
      log.warn("nobody takes a signal's error: " .. tostring(problem))
    end
    subscription:dispose()
  end
  function self.completed()
    if self.is_closed or subscription.disposed then return end
    self.is_closed = true
    if observer.completed then
      local works <const>, problem <const> = pcall(observer.completed)
      if not works then report(problem) end
    end
    subscription:dispose()
  end
  return self
end

--- A signal of a function that gets an observer, tells it, and returns what ends that.
---@param producer fun(observer: waxwing.Observer): waxwing.Disposable|function|nil
---@return waxwing.Signal
function signal.create(producer)
  if type(producer) ~= "function" then
    error(string.format("create takes a function of an observer, not a %s", type(producer)), 2)
  end
  return setmetatable({ producer = producer }, Signal)
end

--- Begins to observe. A function alone gets the values.
---@param observer waxwing.Observer|fun(value: any)
---@return waxwing.Disposable
function Signal:subscribe(observer)
  if type(observer) == "function" then observer = { next = observer } end
  if type(observer) ~= "table" then
    error(string.format("subscribe takes a function, or a table with next, error and completed, not a %s",
      type(observer)), 2)
  end
  local subscription <const> = composite()
  if not observer.is_inner then
    everything:add(subscription)
    subscription:add(disposable(function() everything:remove(subscription) end))
  end
  local target <const> = sink(observer, subscription)
  local works <const>, ending <const> = pcall(self.producer, target)
  if not works then
    target.error(ending)
  elseif type(ending) == "function" then
    subscription:add(disposable(ending))
  elseif type(ending) == "table" then
    subscription:add(ending)
  end
  return subscription
end

--- Observes for an operator: a failing function of the user's is an error of the new signal.
local function inner(source, target, handlers)
  local subscription <const> = source:subscribe {
    is_inner = true,
    next = handlers.next or target.next,
    error = handlers.error or target.error,
    completed = handlers.completed or target.completed,
    fails = target.error,
  }
  return subscription
end

local function is_signal(value) return type(value) == "table" and getmetatable(value) == Signal end

local function check_signals(what, list)
  for _, item in ipairs(list) do
    if not is_signal(item) then error(what .. " takes signals", 3) end
  end
end

local function check_function(what, f)
  if type(f) ~= "function" then error(string.format("%s takes a function, not a %s", what, type(f)), 3) end
end

local function check_count(what, count)
  if math.type(count) ~= "integer" or count < 0 then error(what .. " takes a count, 0 or more", 3) end
end

-- Sources -----------------------------------------------------------------------------------------

--- A signal of a list's elements.
---@param list any[]
---@return waxwing.Signal
function signal.from(list)
  return signal.create(function(observer)
    for index = 1, #list do
      if observer.is_closed then return end
      observer.next(list[index])
    end
    observer.completed()
  end)
end

--- A signal of the arguments.
---@param ... any
---@return waxwing.Signal
function signal.of(...)
  local values <const> = table.pack(...)
  return signal.create(function(observer)
    for index = 1, values.n do
      if observer.is_closed then return end
      observer.next(values[index])
    end
    observer.completed()
  end)
end

--- A signal that completes at once.
signal.empty = setmetatable({ producer = function(observer) observer.completed() end }, Signal)

--- A signal that tells nothing.
signal.never = setmetatable({ producer = function() end }, Signal)

--- A signal that fails at once.
---@param problem any
---@return waxwing.Signal
function signal.fail(problem)
  return signal.create(function(observer) observer.error(problem) end)
end

--- A signal that tells 1, 2, 3, … after each interval.
---@param interval number  seconds
---@param scheduler waxwing.Scheduler?
---@return waxwing.Signal
function signal.timer(interval, scheduler)
  if type(interval) ~= "number" or interval < 0 then error("timer takes an interval in seconds", 2) end
  local times <const> = scheduler or real
  return signal.create(function(observer)
    local count, pending = 0, nil
    local function step()
      pending = times:schedule(interval, function()
        count = count + 1
        observer.next(count)
        if not observer.is_closed then step() end
      end)
    end
    step()
    return function() pending:dispose() end
  end)
end

--- A signal of a Swift `AsyncSequence`, by a task. Each observer iterates anew.
---@param sequence any  or a function that gives one
---@return waxwing.Signal
function signal.sequence(sequence)
  return signal.create(function(observer)
    local token <const> = task(function()
      local works <const>, problem <const> = pcall(function()
        local source = sequence
        if type(sequence) == "function" then source = sequence() end
        for element in each(source) do
          observer.next(element)
          if observer.is_closed then return end
        end
      end)
      if works then observer.completed() else observer.error(problem) end
    end)
    return function() token:cancel() end
  end)
end

--- A signal and the means to tell it: `next`, `error`, `completed`. Hot: who comes later misses what was.
---@return waxwing.Signal subject
function signal.subject()
  local observers = {}
  local ended, problem
  local self <const> = signal.create(function(observer)
    if ended == "error" then return observer.error(problem) end
    if ended then return observer.completed() end
    observers[#observers + 1] = observer
    return function()
      for index, other in ipairs(observers) do
        if other == observer then table.remove(observers, index) end
      end
    end
  end)
  local function all() return ipairs { table.unpack(observers) } end
  function self.next(_, value)
    if ended then return end
    for _, observer in all() do observer.next(value) end
  end
  function self.error(_, other)
    if ended then return end
    ended, problem = "error", other
    for _, observer in all() do observer.error(other) end
  end
  function self.completed()
    if ended then return end
    ended = "completed"
    for _, observer in all() do observer.completed() end
  end
  return self
end

--- A signal with a current value: observers get it first. `get`, `set`.
---@param value any
---@return waxwing.Signal property
function signal.value(value)
  local changes <const> = signal.subject()
  local current = value
  local self <const> = signal.create(function(observer)
    observer.next(current)
    return inner(changes, observer, {})
  end)
  function self.get() return current end
  function self.set(_, other)
    current = other
    changes:next(other)
  end
  function self.completed() changes:completed() end
  return self
end

--- The calls of a method: tables with `object`, `arguments` (with `n`) and `result`, after each call. The
--- method is advised while somebody observes.
---@param target table      a class
---@param selector string   "deposit(_:)"
---@param options { instance: any, position: "before"|"after"|nil }?
---@return waxwing.Signal
function signal.calls(target, selector, options)
  local given <const> = options or {}
  local is_before <const> = given.position == "before"
  local observers, token = {}, nil
  local function tell(call)
    for _, observer in ipairs { table.unpack(observers) } do observer.next(call) end
  end
  local function begin()
    local kind <const> = is_before and "before" or "after"
    return target[kind](target, selector, is_before and function(self, ...)
      tell { object = self, arguments = table.pack(...) }
    end or function(self, result, ...)
      tell { object = self, result = result, arguments = table.pack(...) }
    end, { instance = given.instance })
  end
  return signal.create(function(observer)
    token = token or begin()
    observers[#observers + 1] = observer
    return function()
      for index, other in ipairs(observers) do
        if other == observer then table.remove(observers, index) end
      end
      if #observers == 0 and token then
        token:remove()
        token = nil
      end
    end
  end)
end

-- One signal ----------------------------------------------------------------------------------------

--- Each value as what a function makes of it.
---@param f fun(value: any): any
---@return waxwing.Signal
function Signal:map(f)
  check_function("map", f)
  return signal.create(function(observer)
    return inner(self, observer, { next = function(value) observer.next(f(value)) end })
  end)
end

--- The values for which a function is true.
---@param f fun(value: any): any
---@return waxwing.Signal
function Signal:filter(f)
  check_function("filter", f)
  return signal.create(function(observer)
    return inner(self, observer, { next = function(value) if f(value) then observer.next(value) end end })
  end)
end

--- No values; without an argument, only the end; else those that are not equal to it.
---@param ... any
---@return waxwing.Signal
function Signal:ignore(...)
  local count <const>, unwanted <const> = select("#", ...), (...)
  local filtered <const> = self:filter(function(value) return count > 0 and value ~= unwanted end)
  return filtered
end

--- Values that differ from the one before.
---@param same (fun(a: any, b: any): boolean)?
---@return waxwing.Signal
function Signal:distinct(same)
  return signal.create(function(observer)
    local is_first, last = true, nil
    return inner(self, observer, { next = function(value)
      local is_same
      if not is_first then
        if same then is_same = same(last, value) else is_same = last == value end
      end
      is_first, last = false, value
      if not is_same then observer.next(value) end
    end })
  end)
end

--- The first values.
---@param count integer
---@return waxwing.Signal
function Signal:take(count)
  check_count("take", count)
  if count == 0 then return signal.empty end
  return signal.create(function(observer)
    local left = count
    return inner(self, observer, { next = function(value)
      left = left - 1
      observer.next(value)
      if left == 0 then observer.completed() end
    end })
  end)
end

--- The last values, at the end.
---@param count integer
---@return waxwing.Signal
function Signal:take_last(count)
  check_count("take_last", count)
  return signal.create(function(observer)
    local kept <const>, first, last = {}, 1, 0
    return inner(self, observer, {
      next = function(value)
        last = last + 1
        kept[last] = value
        if last - first + 1 > count then
          kept[first] = nil
          first = first + 1
        end
      end,
      completed = function()
        for index = first, last do observer.next(kept[index]) end
        observer.completed()
      end,
    })
  end)
end

--- Values until another signal tells something or completes.
---@param trigger waxwing.Signal
---@return waxwing.Signal
function Signal:take_until(trigger)
  check_signals("take_until", { trigger })
  return signal.create(function(observer)
    local all <const> = composite()
    all:add(inner(trigger, observer, { next = observer.completed, completed = observer.completed }))
    if not observer.is_closed then all:add(inner(self, observer, {})) end
    return all
  end)
end

--- Values while a function is true of them.
---@param f fun(value: any): any
---@return waxwing.Signal
function Signal:take_while(f)
  check_function("take_while", f)
  return signal.create(function(observer)
    return inner(self, observer, { next = function(value)
      if f(value) then observer.next(value) else observer.completed() end
    end })
  end)
end

--- All but the first values.
---@param count integer
---@return waxwing.Signal
function Signal:skip(count)
  check_count("skip", count)
  return signal.create(function(observer)
    local left = count
    return inner(self, observer, { next = function(value)
      if left > 0 then left = left - 1 else observer.next(value) end
    end })
  end)
end

--- First some values, then the signal's.
---@param ... any
---@return waxwing.Signal
function Signal:start_with(...)
  local joined <const> = signal.of(...):concat(self)
  return joined
end

--- What a function makes of each value and what it made before.
---@param initial any
---@param f fun(result: any, value: any): any
---@return waxwing.Signal
function Signal:scan(initial, f)
  check_function("scan", f)
  return signal.create(function(observer)
    local result = initial
    return inner(self, observer, { next = function(value)
      result = f(result, value)
      observer.next(result)
    end })
  end)
end

--- The last of these, at the end; the initial value without any.
---@param initial any
---@param f fun(result: any, value: any): any
---@return waxwing.Signal
function Signal:reduce(initial, f)
  check_function("reduce", f)
  return signal.create(function(observer)
    local result = initial
    return inner(self, observer, {
      next = function(value) result = f(result, value) end,
      completed = function()
        observer.next(result)
        observer.completed()
      end,
    })
  end)
end

--- All values as one list, at the end.
---@return waxwing.Signal
function Signal:collect()
  return signal.create(function(observer)
    local list <const> = {}
    return inner(self, observer, {
      next = function(value) list[#list + 1] = value end,
      completed = function()
        observer.next(list)
        observer.completed()
      end,
    })
  end)
end

--- The same signal, with functions that see what it tells.
---@param observer waxwing.Observer|fun(value: any)
---@return waxwing.Signal
function Signal:tap(observer)
  local seen <const> = type(observer) == "function" and { next = observer } or observer
  return signal.create(function(target)
    return inner(self, target, {
      next = function(value)
        if seen.next then seen.next(value) end
        target.next(value)
      end,
      error = function(problem)
        if seen.error then seen.error(problem) end
        target.error(problem)
      end,
      completed = function()
        if seen.completed then seen.completed() end
        target.completed()
      end,
    })
  end)
end

-- Several signals -----------------------------------------------------------------------------------

--- The values of all, as they come; completes when all have.
---@param ... waxwing.Signal
---@return waxwing.Signal
function signal.merge(...)
  local sources <const> = { ... }
  check_signals("merge", sources)
  local merged <const> = signal.from(sources):flatten("merge")
  return merged
end

--- The values of this and the others, as they come.
---@param ... waxwing.Signal
---@return waxwing.Signal
function Signal:merge(...)
  local merged <const> = signal.merge(self, ...)
  return merged
end

--- The values of this, then those of the others, one after the other.
---@param ... waxwing.Signal
---@return waxwing.Signal
function Signal:concat(...)
  local sources <const> = { self, ... }
  check_signals("concat", sources)
  local joined <const> = signal.from(sources):flatten("concat")
  return joined
end

--- Of a signal of signals, their values: "merge" as they come, "concat" one after the other, "latest"
--- only those of the newest.
---@param strategy "merge"|"concat"|"latest"
---@return waxwing.Signal
function Signal:flatten(strategy)
  if strategy ~= "merge" and strategy ~= "concat" and strategy ~= "latest" then
    error("flatten takes \"merge\", \"concat\" or \"latest\"", 2)
  end
  return signal.create(function(observer)
    local all <const> = composite()
    local is_complete, running, waiting, current = false, 0, {}, nil
    local function finish()
      if is_complete and running == 0 and #waiting == 0 then observer.completed() end
    end
    local begin
    local function ended()
      running = running - 1
      if strategy == "concat" and #waiting > 0 and not observer.is_closed then begin(table.remove(waiting, 1)) end
      finish()
    end
    begin = function(source)
      running = running + 1
      local is_over = false
      local subscription
      subscription = inner(source, observer, { completed = function()
        is_over = true
        if subscription then all:remove(subscription) end
        ended()
      end })
      if not is_over then
        all:add(subscription)
        current = subscription
      end
    end
    all:add(inner(self, observer, {
      next = function(source)
        if not is_signal(source) then error("flatten is for signals of signals", 0) end
        if strategy == "concat" and running > 0 then
          waiting[#waiting + 1] = source
          return
        end
        if strategy == "latest" and current then
          local old <const> = current
          current = nil
          if not old.disposed then
            all:remove(old)
            old:dispose()
            running = running - 1
          end
        end
        begin(source)
      end,
      completed = function()
        is_complete = true
        finish()
      end,
    }))
    return all
  end)
end

--- The values of the newest signal of a signal of signals.
---@return waxwing.Signal
function Signal:switch_to_latest()
  local flat <const> = self:flatten("latest")
  return flat
end

--- Each value's signal, flattened.
---@param f fun(value: any): waxwing.Signal
---@param strategy "merge"|"concat"|"latest"|nil  "merge"
---@return waxwing.Signal
function Signal:flat_map(f, strategy)
  check_function("flat_map", f)
  local flat <const> = self:map(f):flatten(strategy or "merge")
  return flat
end

local function combined(sources, f, is_zip)
  return signal.create(function(observer)
    local all <const>, count <const> = composite(), #sources
    local queues <const>, has <const>, done <const> = {}, {}, {}
    for index = 1, count do queues[index] = { n = 0, first = 1 } end
    local function is_exhausted()
      local finished = 0
      for index = 1, count do
        local is_empty <const> = queues[index].first > queues[index].n
        if done[index] and is_zip and is_empty then return true end
        if done[index] then finished = finished + 1 end
        if done[index] and not is_zip and not has[index] then return true end
      end
      return finished == count
    end
    local function tell()
      local values <const> = {}
      for index = 1, count do
        local queue <const> = queues[index]
        if queue.first > queue.n then return end
        values[index] = queue[queue.first]
      end
      if is_zip then
        for index = 1, count do
          local queue <const> = queues[index]
          queue[queue.first] = nil
          queue.first = queue.first + 1
        end
      end
      if f then observer.next(f(table.unpack(values, 1, count))) else observer.next(values) end
    end
    for index, source in ipairs(sources) do
      if observer.is_closed then break end
      all:add(inner(source, observer, {
        next = function(value)
          local queue <const> = queues[index]
          has[index] = true
          if is_zip then queue.n = queue.n + 1 else queue.n = 1 end
          queue[queue.n] = value
          tell()
          if is_exhausted() then observer.completed() end
        end,
        completed = function()
          done[index] = true
          if is_exhausted() then observer.completed() end
        end,
      }))
    end
    if count == 0 then observer.completed() end
    return all
  end)
end

--- The first values of all together, then the second ones, …: as lists, or as what a function makes of
--- them.
---@param sources waxwing.Signal[]
---@param f (fun(...: any): any)?
---@return waxwing.Signal
function signal.zip(sources, f)
  check_signals("zip", sources)
  local made <const> = combined(sources, f, true)
  return made
end

--- At each value the newest of all, once each has told one.
---@param sources waxwing.Signal[]
---@param f (fun(...: any): any)?
---@return waxwing.Signal
function signal.combine_latest(sources, f)
  check_signals("combine_latest", sources)
  local made <const> = combined(sources, f, false)
  return made
end

--- At each value of another signal the newest of this one, if there is a new one.
---@param sampler waxwing.Signal
---@return waxwing.Signal
function Signal:sample(sampler)
  check_signals("sample", { sampler })
  return signal.create(function(observer)
    local all <const> = composite()
    local has, newest = false, nil
    all:add(inner(self, observer, { next = function(value) has, newest = true, value end }))
    all:add(inner(sampler, observer, { next = function()
      if not has then return end
      has = false
      observer.next(newest)
    end }))
    return all
  end)
end

-- Errors --------------------------------------------------------------------------------------------

--- After an error, the signal that a function makes of it.
---@param f fun(problem: any): waxwing.Signal
---@return waxwing.Signal
function Signal:catch(f)
  check_function("catch", f)
  return signal.create(function(observer)
    local all <const> = composite()
    all:add(inner(self, observer, { error = function(problem)
      local works <const>, other <const> = pcall(f, problem)
      if not works then return observer.error(other) end
      if not is_signal(other) then return observer.error("catch takes a function that returns a signal") end
      all:add(inner(other, observer, {}))
    end }))
    return all
  end)
end

--- Begins anew after an error.
---@param count integer?  so often at most; without it, always
---@return waxwing.Signal
function Signal:retry(count)
  if count ~= nil then check_count("retry", count) end
  return signal.create(function(observer)
    local all <const> = composite()
    local left, is_running, again = count, false, false
    local function begin()
      again = true
      if is_running then return end
      is_running = true
      while again and not observer.is_closed do
        again = false
        all:add(inner(self, observer, { error = function(problem)
          if left == 0 then return observer.error(problem) end
          if left then left = left - 1 end
          begin()
        end }))
      end
      is_running = false
    end
    begin()
    return all
  end)
end

-- Time --------------------------------------------------------------------------------------------

--- All values and the completion later; errors at once.
---@param seconds number
---@param scheduler waxwing.Scheduler?
---@return waxwing.Signal
function Signal:delay(seconds, scheduler)
  local times <const> = scheduler or real
  return signal.create(function(observer)
    local all <const> = composite()
    local function later(f)
      local item
      item = times:schedule(seconds, function()
        if item then all:remove(item) end
        f()
      end)
      all:add(item)
    end
    all:add(inner(self, observer, {
      next = function(value) later(function() observer.next(value) end) end,
      completed = function() later(observer.completed) end,
    }))
    return all
  end)
end

--- A value after which nothing has come for so long.
---@param seconds number
---@param scheduler waxwing.Scheduler?
---@return waxwing.Signal
function Signal:debounce(seconds, scheduler)
  local times <const> = scheduler or real
  return signal.create(function(observer)
    local all <const> = composite()
    local pending, has, newest = nil, false, nil
    local function stop()
      if pending then
        all:remove(pending)
        pending:dispose()
      end
      pending = nil
    end
    all:add(inner(self, observer, {
      next = function(value)
        stop()
        has, newest = true, value
        pending = all:add(times:schedule(seconds, function()
          has = false
          observer.next(newest)
        end))
      end,
      completed = function()
        stop()
        if has then observer.next(newest) end
        observer.completed()
      end,
    }))
    return all
  end)
end

--- At most one value in so many seconds: the first at once, the newest of the rest afterwards.
---@param seconds number
---@param scheduler waxwing.Scheduler?
---@return waxwing.Signal
function Signal:throttle(seconds, scheduler)
  local times <const> = scheduler or real
  return signal.create(function(observer)
    local all <const> = composite()
    local is_quiet, has, newest = true, false, nil
    local pending
    local function wait()
      pending = all:add(times:schedule(seconds, function()
        all:remove(pending)
        if not has then
          is_quiet = true
          return
        end
        has = false
        observer.next(newest)
        wait()
      end))
    end
    all:add(inner(self, observer, {
      next = function(value)
        if is_quiet then
          is_quiet = false
          observer.next(value)
          wait()
        else
          has, newest = true, value
        end
      end,
      completed = function()
        if has then observer.next(newest) end
        observer.completed()
      end,
    }))
    return all
  end)
end

--- An error if nothing comes for so long.
---@param seconds number
---@param problem any?      the error; "timed out"
---@param scheduler waxwing.Scheduler?
---@return waxwing.Signal
function Signal:timeout(seconds, problem, scheduler)
  local times <const> = scheduler or real
  return signal.create(function(observer)
    local all <const> = composite()
    local pending
    local function wait()
      if pending then
        all:remove(pending)
        pending:dispose()
      end
      pending = all:add(times:schedule(seconds, function()
        observer.error(problem == nil and string.format("timed out after %g s", seconds) or problem)
      end))
    end
    wait()
    all:add(inner(self, observer, { next = function(value)
      wait()
      observer.next(value)
    end }))
    return all
  end)
end

--- All that comes is told by tasks, in order: on the main actor, or on none.
---@param queue "main"|"task"
---@return waxwing.Signal
function Signal:deliver_on(queue)
  if queue ~= "main" and queue ~= "task" then error("deliver_on takes \"main\" or \"task\"", 2) end
  return signal.create(function(observer)
    local events, first, last, is_draining = {}, 1, 0, false
    local function drain()
      while first <= last do
        local event <const> = events[first]
        events[first] = nil
        first = first + 1
        event()
      end
      is_draining = false
    end
    local function add(event)
      last = last + 1
      events[last] = event
      if is_draining then return end
      is_draining = true
      local run <const> = queue == "main" and main or global
      run(drain)
    end
    return inner(self, observer, {
      next = function(value) add(function() observer.next(value) end) end,
      error = function(problem) add(function() observer.error(problem) end) end,
      completed = function() add(observer.completed) end,
    })
  end)
end

-- Sharing -----------------------------------------------------------------------------------------

--- One subscription for all observers, which get the last values first. It begins with the first
--- observer and ends with the last one.
---@param count integer?  how many values are kept; 1; 0: none
---@return waxwing.Signal
function Signal:replay(count)
  local size <const> = count or 1
  check_count("replay", size)
  local observers, kept, subscription = {}, {}, nil
  local ending
  local function all() return ipairs { table.unpack(observers) } end
  return signal.create(function(observer)
    for _, value in ipairs { table.unpack(kept) } do observer.next(value.value) end
    if ending then return ending(observer) end
    observers[#observers + 1] = observer
    if not subscription then
      subscription = composite()
      subscription:add(self:subscribe {
        is_inner = true,
        next = function(value)
          kept[#kept + 1] = { value = value }
          if #kept > size then table.remove(kept, 1) end
          for _, other in all() do other.next(value) end
        end,
        error = function(problem)
          ending = function(other) other.error(problem) end
          for _, other in all() do other.error(problem) end
        end,
        completed = function()
          ending = function(other) other.completed() end
          for _, other in all() do other.completed() end
        end,
      })
    end
    return function()
      for index, other in ipairs(observers) do
        if other == observer then table.remove(observers, index) end
      end
      if #observers == 0 and subscription and not ending then
        local old <const> = subscription
        subscription, kept = nil, {}
        old:dispose()
      end
    end
  end)
end

--- One subscription for all observers; who comes later misses what was.
---@return waxwing.Signal
function Signal:share()
  local shared <const> = self:replay(0)
  return shared
end

--- Whether the patch's end ends all subscriptions: not where the module is loaded too late for that.
signal.ends_with_patch = is_ending_watched

return signal
