-- SPDX-License-Identifier: MIT
--
-- A host whose tasks are plain coroutines, driven in turn, with a clock that jumps to the next
-- event. It keeps the contract that `async.lua` relies on, and fails where that is not kept.

local AsyncHost = {}

local raw <const> = _G.TestRunner.coroutine
local key <const> = setmetatable({}, { __tostring = function() return "await" end })

--- What stands for Swift's error.
AsyncHost.cancellation = setmetatable({}, {
  __tostring = function() return "CancellationError" end,
})

---@param pick fun(count: integer): integer?  which of those that can go on does
---@param change fun(host: table)?            before the engine's code sees it
---@return table host, table library  what `async.lua` has made
function AsyncHost.start(pick, change)
  local host <const> = { await_key = key, log = {}, failures = {}, live = 0,
    is_engines = setmetatable({}, { __mode = "k" }) }
  local now, ready, timers, tasks <const>, continuations <const> = 0.0, {}, {}, {}, {}
  local current

  -- Activities: what runs on one coroutine.

  local function schedule(activity)
    assert(not activity.is_ready)
    activity.is_ready = true
    ready[#ready + 1] = activity
  end

  local function done(pending)
    if pending.is_done then return end
    pending.is_done = true
    if pending.activity then schedule(pending.activity) end
  end

  --- Waits until `pending` is done.
  local function wait(pending, ignores_cancelling)
    local activity <const> = current
    if not host.may_wait() then error("cannot wait: use task(function() ... end)", 0) end
    if activity.is_cancelled and not ignores_cancelling then
      error(AsyncHost.cancellation, 0)
    end
    pending.can_cancel = not ignores_cancelling
    assert(select("#", raw.yield(key, pending)) == 0)
    if not pending.is_done then error("it cannot wait here", 0) end
    assert(current == activity, "a wait was ended by somebody else")
    if pending.is_cancelled then error(AsyncHost.cancellation, 0) end
  end

  local function activity_of(body, parent)
    local activity <const> = {
      co = coroutine.create(body), may_wait = true, parent = parent, children = {}, joiners = {},
      is_cancelled = parent and parent.is_cancelled,
    }
    host.live = host.live + 1
    host.is_engines[activity.co] = true
    return activity
  end

  local function finish(activity, result)
    activity.is_finished, activity.result = true, result
    host.live = host.live - 1
    for _, joiner in ipairs(activity.joiners) do done(joiner) end
  end

  local function step(activity)
    activity.is_ready = false
    current = activity
    local ok <const>, first <const>, pending <const> = raw.resume(activity.co)
    current = nil
    if not ok then error(debug.traceback(activity.co, "a body raised: " .. tostring(first))) end
    if raw.status(activity.co) == "dead" then return finish(activity, first) end
    assert(rawequal(first, key), "something else than a wait came out: " .. tostring(first))
    activity.pending, pending.activity = pending, activity
    if pending.is_done then schedule(activity) end
  end

  local function cancel(activity)
    if activity.is_cancelled or activity.is_finished then return end
    activity.is_cancelled = true
    for _, child in ipairs(activity.children) do cancel(child) end
    local pending <const> = activity.pending
    if pending and pending.can_cancel and not pending.is_done then
      pending.is_cancelled = true
      done(pending)
    elseif activity.delay then
      done(activity.delay)
    end
  end

  local timer_count = 0

  local function at(time, pending)
    timer_count = timer_count + 1
    timers[#timers + 1] = { time = time, order = timer_count, pending = pending }
    table.sort(timers, function(a, b)
      return a.time < b.time or a.time == b.time and a.order < b.order
    end)
  end

  -- What `async.lua` uses.

  function host.start(body, where, seconds)
    assert(where == "inherit" or where == "main" or where == "global")
    assert(math.type(seconds) == "float")
    if host.is_ending then error("the patch has ended", 0) end
    local activity <const> = activity_of(body)
    tasks[#tasks + 1] = activity
    host.log[#host.log + 1] = where .. " " .. seconds
    if seconds == 0 then
      schedule(activity)
    else
      activity.delay = { activity = activity }
      at(now + seconds, activity.delay)
    end
    return #tasks
  end

  function host.cancel(id)
    cancel(tasks[id])
  end

  function host.join(id)
    local activity <const> = tasks[id]
    if activity.is_finished then return end
    local pending <const> = {}
    activity.joiners[#activity.joiners + 1] = pending
    wait(pending)
  end

  function host.children(bodies, mode)
    assert(mode == "all" or mode == "race" or mode == "timeout")
    local parent <const>, pending <const>, left = current, {}, #bodies
    for i, body in ipairs(bodies) do
      local child
      child = activity_of(function()
        local ends <const> = body()
        assert(math.type(ends) == nil and type(ends) == "boolean")
        if ends then
          for _, other in ipairs(parent.children) do
            if other ~= child then cancel(other) end
          end
        end
        left = left - 1
        if left == 0 then done(pending) end
      end, parent)
      parent.children[i] = child
    end
    for _, child in ipairs(parent.children) do schedule(child) end
    wait(pending, true)
    parent.children = {}
    if parent.is_cancelled then error(AsyncHost.cancellation, 0) end
  end

  function host.sleep(seconds)
    assert(math.type(seconds) == "float")
    local pending <const> = {}
    at(now + seconds, pending)
    wait(pending)
  end

  --- A client replies with the message after a second; one called "nobody" never does.
  function host.ask(name, text)
    local pending <const> = {}
    if name ~= "nobody" then at(now + 1, pending) end
    wait(pending)
    return text
  end

  function host.is_cancelled() return current ~= nil and current.is_cancelled == true end

  function host.is_cancellation(caught) return caught == AsyncHost.cancellation end

  function host.may_wait()
    return current ~= nil and current.may_wait and raw.isyieldable()
  end

  function host.each(sequence)
    local left = sequence == io.stdout and 3 or 0
    return function()
      local pending <const> = {}
      at(now + 1, pending)
      wait(pending)
      left = left - 1
      if left >= 0 then return 3 - left end
    end
  end

  function host.continuation()
    continuations[#continuations + 1] = { pending = {} }
    return #continuations
  end

  function host.resume(id)
    done(continuations[id].pending)
  end

  function host.suspend(id)
    local continuation <const> = continuations[id]
    continuation.is_over = true
    if not continuation.pending.is_done then wait(continuation.pending) end
  end

  --- Whether all continuations have been suspended once.
  function host.has_forgotten()
    for _, continuation in ipairs(continuations) do
      if not continuation.is_over then return false end
    end
    return true
  end

  function host.task_failed(caught, traceback)
    host.failures[#host.failures + 1] = tostring(caught)
    host.traceback = traceback
  end

  function host.trace(caught)
    return debug.traceback("", 2), "mark of " .. tostring(caught)
  end

  function host.raise(caught, mark)
    host.mark = mark
    error(caught, 0)
  end

  function host.near(name)
    return name == "waits" and "; did you mean `wait`?" or ""
  end

  -- What tests use.

  function host.now() return now end

  --- Runs `f` as a call that cannot wait, within the activity that runs.
  function host.synchronously(f, ...)
    local activity <const> = current
    activity.may_wait = false
    local results <const> = table.pack(pcall(f, ...))
    activity.may_wait = true
    return table.unpack(results, 1, results.n)
  end

  --- Runs `f` as an async override, with all that comes of it, to its end.
  function host.call(f)
    local activity <const> = activity_of(f)
    schedule(activity)
    host.main = activity
    host.run()
    assert(activity.is_finished, "it hangs")
    return activity.result
  end

  function host.cancel_main() cancel(host.main) end

  --- Runs what there is until nothing can go on.
  function host.run()
    while #ready > 0 or #timers > 0 do
      if #ready == 0 then
        local timer <const> = table.remove(timers, 1)
        if not timer.pending.is_done then
          now = timer.time
          done(timer.pending)
        end
      else
        step(table.remove(ready, pick and pick(#ready) or 1))
      end
    end
  end

  if change then change(host) end
  local coroutines <const>, strands <const> = _G.coroutines(host)
  local library <const> = _G.async(host, strands)
  library.coroutine = coroutines
  host.strands = strands
  return host, library
end

return AsyncHost
