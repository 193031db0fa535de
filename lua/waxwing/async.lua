-- SPDX-License-Identifier: MIT
--
-- Waiting: `task`, `sleep`, `ask`, `all`, `race`, `timeout`, `after`, `main`, `global`, `each`,
-- `continuation` and `cancelled`.
--
-- What waits leaves the Lua state and its thread to others. Every task, and every function that is
-- given to `all`, `race` and `timeout`, runs on a coroutine of its own, which the engine drives.

---@class waxwing.Strand  what runs on one coroutine of the engine's: a task, or a part of one
---@field parent waxwing.Strand?     that waits for it whatever else happens
---@field children waxwing.Strand[]? those it waits for, whatever else happens
---@field awaited waxwing.Task?      what it waits for
---@field traceback string?          of what it failed with
---@field mark any                   what the host keeps with that

---@class waxwing.Task: waxwing.Strand
---@field id integer
---@field place string               where it was made
---@field is_finished boolean
---@field is_cancelled boolean       it was asked to end
---@field results table?             packed; nil if it failed
---@field error any
---@field waiters integer            how many wait for it
---@field is_observed boolean        somebody was given its error

---@type waxwing.Host, table<thread, waxwing.Strand>
local host <const>, strands <const> = ...
local running <const> = coroutine.running

--- How long a task's failure may be nobody's before it is reported.
local grace <const> = 1.0

--- Longer than any program runs; Swift's clocks cannot tell of much more.
local most_seconds <const> = 4e9

--- How many tasks are looked at for one that waits for the one that is about to wait.
local most_looked_at <const> = 1000

---@type table<table, waxwing.Task>
local task_of <const> = setmetatable({}, { __mode = "k" }) -- by token

local library <const> = {}

-- Arguments ---------------------------------------------------------------------------------------

-- `level` is that of `error`, seen from the function that calls these: 3 is the script's line.

local function check_may_wait(what, level)
  if host.may_wait() then return end
  error(string.format("%s waits, and that is for overrides of async functions and for tasks: use "
    .. "task(function() ... end)", what), level)
end

local function check_function(what, f, level)
  if type(f) == "function" then return end
  error(string.format("%s takes a function, not a %s", what, type(f)), level)
end

--- The seconds as a float that Swift's clocks can take.
local function check_seconds(what, seconds, level)
  if type(seconds) == "number" and seconds >= 0 then
    return math.min(seconds + 0.0, most_seconds)
  end
  local found <const> = type(seconds) ~= "number" and "a " .. type(seconds)
    or seconds ~= seconds and "nan" or tostring(seconds)
  error(string.format("%s takes seconds, a number >= 0, not %s", what, found), level)
end

local function kind(value)
  return task_of[value] and "task" or type(value)
end

--- A list of functions without gaps.
local function check_list(what, list, level)
  if kind(list) ~= "table" then
    error(string.format("%s takes a table of functions, %s{f, g}, not a %s", what, what,
      kind(list)), level)
  end
  local count <const> = #list
  for i, f in ipairs(list) do
    if type(f) ~= "function" then
      error(string.format("%s takes functions; number %d is a %s", what, i, kind(f)), level)
    end
  end
  for place in next, list do
    if math.type(place) ~= "integer" or place < 1 or place > count then
      error(string.format("%s takes a list of functions; `%s` is no place in it", what,
        tostring(place)), level)
    elseif place > 1 and list[place - 1] == nil then
      error(string.format("%s takes functions; number %d is a nil", what, place - 1), level)
    end
  end
  return count
end

-- Errors ------------------------------------------------------------------------------------------

--- A message handler that keeps what there is to say of an error with what it ends.
local function record(caught)
  local strand <const> = strands[running()]
  if host.trace then strand.traceback, strand.mark = host.trace(caught) end
  return caught
end

--- Raises an error again that a strand ended with.
local function raise(caught, mark)
  if host.raise then host.raise(caught, mark) end
  error(caught, 0)
end

--- Calls `f` as what the strand is there for: whether it succeeded, and its results or the error.
local function run(strand, f, ...)
  strands[running()] = strand
  return xpcall(f, record, ...)
end

-- Failures that are nobody's ----------------------------------------------------------------------

local unobserved = {} ---@type waxwing.Task[]
local is_looking = false

local function report_unobserved()
  local failed <const> = unobserved
  unobserved, is_looking = {}, false
  for _, task in ipairs(failed) do
    if not task.is_observed and task.waiters == 0 then
      task.is_observed = true
      host.task_failed(task.error, task.traceback or "")
    end
  end
end

--- Has the failure of a task reported, unless somebody waits for the task soon.
local function expect_observer(task)
  unobserved[#unobserved + 1] = task
  if is_looking then return end
  is_looking = true
  -- Where no task can begin any more, nobody will come.
  if not pcall(host.start, report_unobserved, "global", grace) then report_unobserved() end
end

-- Tasks -------------------------------------------------------------------------------------------

local function finish(task, succeeded, ...)
  strands[running()] = nil
  task.is_finished = true
  if succeeded then
    task.results = table.pack(...)
    return
  end
  task.error = ...
  if host.is_cancelled() and host.is_cancellation(task.error) then
    task.is_observed = true
  elseif task.waiters == 0 then
    expect_observer(task)
  end
end

--- What a task runs. One that is cancelled before it has begun does not begin.
local function begin(f, ...)
  if host.is_cancelled() then host.sleep(0.0) end
  return f(...)
end

--- Whether `target` waits, by way of others, for `strand` or what that is a part of.
local function waits_for(target, strand)
  local ends <const> = {}
  while strand do
    ends[strand] = true
    strand = strand.parent
  end
  local found <const>, seen <const>, i = { target }, { [target] = true }, 0
  local function add(next_one)
    if next_one and not seen[next_one] then
      seen[next_one] = true
      found[#found + 1] = next_one
    end
  end
  while i < #found and i < most_looked_at do
    i = i + 1
    if ends[found[i]] then return true end
    add(found[i].awaited)
    for _, child in ipairs(found[i].children or {}) do add(child) end
  end
  return false
end

--- Ends a wait, however it ends.
local wait_end <const> = {
  __close = function(wait)
    local task <const> = wait.task
    if wait.strand then wait.strand.awaited = nil end
    task.waiters = task.waiters - 1
    if task.is_finished and not task.results and not task.is_observed and task.waiters == 0 then
      expect_observer(task)
    end
  end,
}

--- Waits until a task has finished.
local function join(task)
  check_may_wait("wait", 4)
  local strand <const> = strands[running()]
  if strand and waits_for(task, strand) then
    error(task == strand and "a task cannot wait for itself"
      or "the task waits for this one: both would wait for ever", 3)
  end
  if strand then strand.awaited = task end
  task.waiters = task.waiters + 1
  local _ <close> = setmetatable({ task = task, strand = strand }, wait_end)
  host.join(task.id)
  if not task.is_finished then error("the task has ended without finishing", 3) end
  if not task.results then task.is_observed = true end
end

local function task_at(token, method)
  local task <const> = task_of[token]
  if task then return task end
  error(string.format("%s is called on a task, as task:%s()", method, method), 3)
end

local methods <const> = {
  --- Waits until the task has finished. Its results, or its error is raised; any number of times.
  wait = function(token)
    local task <const> = task_at(token, "wait")
    if not task.is_finished then join(task) end
    if task.results then return table.unpack(task.results, 1, task.results.n) end
    task.is_observed = true
    raise(task.error, task.mark)
  end,

  --- Asks the task to end: what it waits for, or will wait for, raises an error in it.
  ---@return boolean  whether it had not finished
  cancel = function(token)
    local task <const> = task_at(token, "cancel")
    if task.is_finished then return false end
    task.is_cancelled = true
    host.cancel(task.id)
    return true
  end,
}

local token_behaviour <const> = {
  __metatable = false,
  __name = "task",
  __index = function(token, name)
    if methods[name] then return methods[name] end
    local task <const> = task_of[token]
    if name == "finished" then return task.is_finished end
    if name == "cancelled" then return task.is_cancelled end
    error(string.format("a task has no `%s`%s; it has wait(), cancel(), finished and cancelled",
      tostring(name), host.near(tostring(name), "wait cancel finished cancelled")), 2)
  end,
  __newindex = function() error("a task has no fields that can be set", 2) end,
  __tostring = function(token)
    local task <const> = task_of[token]
    local state <const> = not task.is_finished and (task.is_cancelled and "cancelled" or "running")
      or task.results and "finished" or "failed"
    return string.format("task at %s (%s)", task.place, state)
  end,
}

--- Makes a task of `f`, which begins later, and a token for it.
---@param where "inherit"|"main"|"global"
local function start(where, seconds, f, ...)
  local _, place <const> = pcall(error, "", 4)
  local task <const> = {
    place = string.match(place, "^(.*): $") or "?",
    is_finished = false, is_cancelled = false, waiters = 0, is_observed = false,
  }
  local arguments <const> = table.pack(...)
  task.id = host.start(function()
    finish(task, run(task, begin, f, table.unpack(arguments, 1, arguments.n)))
  end, where, seconds)
  local token <const> = setmetatable({}, token_behaviour)
  task_of[token] = task
  return token
end

--- Runs `f` as a task of its own, on the actor of whoever calls this. It begins later: when the
--- caller waits or returns, or on another thread.
---@return table token
function library.task(f, ...)
  check_function("task", f, 3)
  local token <const> = start("inherit", 0.0, f, ...) -- no tail call: see `place`
  return token
end

--- Runs `f` on the main actor.
---@return table token
function library.main(f, ...)
  check_function("main", f, 3)
  local token <const> = start("main", 0.0, f, ...)
  return token
end

--- Runs `f` on no actor, on any thread.
---@return table token
function library.global(f, ...)
  check_function("global", f, 3)
  local token <const> = start("global", 0.0, f, ...)
  return token
end

--- Runs `f` as a task after so many seconds.
---@return table token
function library.after(seconds, f, ...)
  seconds = check_seconds("after", seconds, 3)
  check_function("after", f, 3)
  local token <const> = start("inherit", seconds, f, ...)
  return token
end

--- Whether the task that this runs in, or the one that called the override, has been cancelled.
function library.cancelled()
  return host.is_cancelled()
end

function library.sleep(seconds)
  seconds = check_seconds("sleep", seconds, 3)
  check_may_wait("sleep", 3)
  host.sleep(seconds)
end

--- Sends a message to the client of the program that handles this name, and waits for its reply.
--- The message waits until there is such a client, however long that is: `timeout` bounds it.
---@param name string
---@param text string      UTF-8
---@return string? reply    nil if there is none
---@return string? failure  why there is none
function library.ask(name, text)
  if type(name) ~= "string" or name == "" or type(text) ~= "string" then
    error('ask takes the name of a client\'s handler and a text: ask("owner", "1")', 2)
  end
  if not utf8.len(name) or not utf8.len(text) then error("ask takes text in UTF-8", 2) end
  check_may_wait("ask", 3)
  return host.ask(name, text)
end

-- Several at once ---------------------------------------------------------------------------------

--- Runs the functions as child tasks and waits for all of them.
---@param mode "all"|"race"|"timeout"
---@param ended fun(i: integer, strand: waxwing.Strand, succeeded: boolean, ...): boolean
---what came of one; whether the others are to be cancelled
local function run_children(list, mode, ended)
  local parent <const> = mode == "all" and strands[running()] or nil
  local functions <const>, children <const> = {}, {}
  for i, f in ipairs(list) do
    local strand <const> = { parent = parent }
    children[i] = strand
    functions[i] = function()
      local function finished(...)
        strands[running()] = nil
        return ended(i, strand, ...)
      end
      return finished(run(strand, f))
    end
  end
  if parent then parent.children = children end
  local succeeded <const>, message <const> = pcall(host.children, functions, mode)
  if parent then parent.children = nil end
  if not succeeded then raise(message) end
end

--- Runs the functions at the same time and waits for all. Returns the first result of each, in
--- their order. If one fails the others are cancelled; its error is raised when they have ended.
---@param functions function[]  of none, nothing comes
function library.all(functions)
  local count <const> = check_list("all", functions, 3)
  check_may_wait("all", 3)
  if count == 0 then return end
  local results <const> = {}
  local failed, reason
  run_children(functions, "all", function(i, strand, succeeded, first)
    if succeeded then
      results[i] = first
    elseif not failed then
      failed, reason = strand, first
    end
    return not succeeded
  end)
  if failed then raise(reason, failed.mark) end
  return table.unpack(results, 1, count)
end

--- Runs them at the same time; what the first that finishes comes to, when all have ended.
local function first_of(functions, mode)
  local winner, outcome
  run_children(functions, mode, function(_, strand, succeeded, ...)
    if not winner then winner, outcome = strand, table.pack(succeeded, ...) end
    return true
  end)
  if not outcome[1] then raise(outcome[2], winner.mark) end
  return table.unpack(outcome, 2, outcome.n)
end

--- Runs the functions at the same time. As soon as one has finished, the others are cancelled; when
--- they have ended too, its results are returned, or its error is raised.
---@param functions function[]  at least one
function library.race(functions)
  if check_list("race", functions, 3) == 0 then
    error("race takes at least one function", 2)
  end
  check_may_wait("race", 3)
  return first_of(functions, "race")
end

--- Runs `f`. If it has not finished after so many seconds it is cancelled, and when it has ended an
--- error is raised, whatever it came to.
function library.timeout(seconds, f, ...)
  seconds = check_seconds("timeout", seconds, 3)
  check_function("timeout", f, 3)
  check_may_wait("timeout", 3)
  local arguments <const> = table.pack(...)
  local late <const> = {}
  local function call() return f(table.unpack(arguments, 1, arguments.n)) end
  local function watch()
    host.sleep(seconds)
    return late
  end
  local results <const> = table.pack(first_of({ call, watch }, "timeout"))
  if results[1] == late then error(string.format("timed out after %.14g s", seconds), 2) end
  return table.unpack(results, 1, results.n)
end

-- What Swift has that waits -----------------------------------------------------------------------

--- For a loop over an `AsyncSequence` of Swift's: for x in each(sequence) do ... end
function library.each(sequence)
  if type(sequence) ~= "userdata" then
    error(string.format("each takes a Swift AsyncSequence, not a %s", type(sequence)), 2)
  end
  check_may_wait("each", 3)
  local next_element <const>, closing <const> = host.each(sequence)
  return next_element, nil, nil, closing
end

--- Calls `f` with two functions and waits until one is called: `resume(...)`, whose arguments this
--- returns, or `fail(error)`, whose argument it raises. They may be called at once or later, by any
--- task or by Swift; once.
---@param f fun(resume: function, fail: function)
function library.continuation(f)
  check_function("continuation", f, 3)
  check_may_wait("continuation", 3)
  local id <const> = host.continuation()
  local outcome, is_over
  local function settle(name, ...)
    if outcome then
      error(string.format(
        "%s comes too late: the continuation has already been resumed", name), 3)
    end
    outcome = table.pack(...)
    if is_over then return false end -- its task was cancelled
    host.resume(id)
    return true
  end
  local succeeded <const>, caught <const> = pcall(f,
    function(...) return (settle("resume", true, ...)) end,
    function(reason) return (settle("fail", false, reason)) end)
  if not succeeded then
    -- So that the host forgets the continuation.
    if not outcome then settle("resume") end
    pcall(host.suspend, id)
    raise(caught)
  end
  local came <const>, why <const> = pcall(host.suspend, id)
  is_over = true
  if not came then raise(why) end
  if not outcome[1] then raise(outcome[2]) end
  return table.unpack(outcome, 2, outcome.n)
end

return library
