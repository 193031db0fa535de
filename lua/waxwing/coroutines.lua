-- SPDX-License-Identifier: MIT
--
-- `coroutine` as scripts see it: Lua's own, but for a coroutine that waits for Swift.
--
-- What waits yields `host.await_key` first. That is for whoever drives the outermost coroutine, the
-- one that the engine runs a call or a task on: `resume` yields it on outward, and resumes the
-- inner coroutine with whatever comes back. So a coroutine of the script's own can wait wherever
-- its resumer can, and to its resumer the wait is a `resume` that takes longer.
--
-- Where the resumer cannot yield, below a function of C's such as `table.sort` or in a call that
-- cannot wait, the inner coroutine is resumed at once: the wait finds itself not over, and raises.

---@type waxwing.Host
local host <const> = ...
local raw <const> = coroutine

--- What a wait yields first. Only the engine has it.
local key <const> = host.await_key or {}

--- Raises an error that was caught as if it had not been.
local raise <const> = host.raise or function(caught) error(caught, 0) end

--- The script's own coroutines. The engine's, which calls and tasks run on, are nobody's to resume.
local is_own <const> = setmetatable({}, { __mode = "k" })

--- Those that wait: not suspended, as far as the script can see, but resumed by one that waits.
local is_waiting <const> = setmetatable({}, { __mode = "k" })

--- What each coroutine runs for: see `async.lua`.
---@type table<thread, waxwing.Strand>
local strands <const> = setmetatable({}, { __mode = "k" })

local library <const> = {}

-- Arguments ---------------------------------------------------------------------------------------

--- Lua's own message for an argument of the wrong type.
local function check(name, expected, ...)
  if type((...)) == expected then return end
  local found <const> = select("#", ...) == 0 and "no value" or type((...))
  error(string.format("bad argument #1 to '%s' (%s expected, got %s)", name, expected, found), 3)
end

-- Resuming ----------------------------------------------------------------------------------------

--- Resumes a coroutine that waited, with what came back.
local function go_on(co, ...)
  is_waiting[co] = nil
  return raw.resume(co, ...)
end

--- What came of a `resume`, once the coroutine does not wait: (co, succeeded, values or error)
local function settle(co, ...)
  local succeeded <const>, first <const> = ...
  if not (succeeded and rawequal(first, key)) then return ... end
  if not raw.isyieldable() then return settle(co, raw.resume(co)) end
  is_waiting[co] = true
  return settle(co, go_on(co, raw.yield(select(2, ...))))
end

function library.resume(...)
  check("resume", "thread", ...)
  local co <const> = ...
  if not is_own[co] or is_waiting[co] then
    return false, "cannot resume non-suspended coroutine"
  end
  local strand <const> = strands[raw.running()]
  if strands[co] ~= strand then strands[co] = strand end
  return settle(co, raw.resume(...))
end

--- What a wrapped coroutine's function returns or raises: (co, succeeded, values or error)
local function unwrap(co, succeeded, ...)
  if succeeded then return ... end
  local message = ...
  if raw.status(co) == "dead" then
    local is_closed <const>, of_closing <const> = raw.close(co)
    if not is_closed then message = of_closing end
  end
  if type(message) ~= "string" then raise(message) end
  local _, place <const> = pcall(error, "", 3)
  raise(place .. message)
end

-- Making ------------------------------------------------------------------------------------------

local function create(f)
  local co <const> = raw.create(f)
  is_own[co] = true
  return co
end

function library.create(...)
  check("create", "function", ...)
  return create((...))
end

function library.wrap(...)
  check("wrap", "function", ...)
  local co <const> = create((...))
  return function(...) return unwrap(co, library.resume(co, ...)) end
end

-- Asking and ending -------------------------------------------------------------------------------

--- Of the engine's coroutines, that of the running code is running, and others wait for something.
function library.status(...)
  check("status", "thread", ...)
  local co <const> = ...
  local status <const> = raw.status(co)
  local is_active <const> = is_waiting[co] or not is_own[co]
  return is_active and status == "suspended" and "normal" or status
end

function library.close(...)
  check("close", "thread", ...)
  local co <const> = ...
  local status <const> = library.status(co)
  if status ~= "suspended" and status ~= "dead" or not is_own[co] then
    error(string.format("cannot close a %s coroutine", status), 2)
  end
  return raw.close(co)
end

library.running = raw.running

function library.isyieldable(...)
  if select("#", ...) > 0 then check("isyieldable", "thread", ...) end
  local co <const> = ... or raw.running()
  return is_own[co] == true and raw.isyieldable(...)
end

--- No tail call of Lua's own: what the engine's coroutine yields is for the engine.
function library.yield(...)
  if not is_own[raw.running()] then error("attempt to yield from outside a coroutine", 0) end
  return raw.yield(...)
end

return library, strands
