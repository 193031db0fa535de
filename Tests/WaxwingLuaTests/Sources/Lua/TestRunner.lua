-- SPDX-License-Identifier: MIT
--
-- Tests by name, and which lines of the engine's Lua code they have been at.

local TestRunner = {}
TestRunner.__index = TestRunner

--- Lua's own library, as it was.
TestRunner.coroutine = {}
for name, f in next, coroutine do TestRunner.coroutine[name] = f end

local visited <const>, active <const>, called <const> = {}, {}, {}

--- By function, the lines of its file that have been visited.
local lines_of <const> = setmetatable({}, { __mode = "k" })

--- Functions whose calls have been recorded.
local is_called <const> = setmetatable({}, { __mode = "k" })

--- Keeps a record of the lines; of a function's, all that it has.
local function visit(event, line)
  local f <const> = debug.getinfo(2, "f").func
  if event == "line" and lines_of[f] then
    lines_of[f][line] = true
    return
  end
  if event ~= "line" then
    if is_called[f] then return end
    is_called[f] = true
  end
  local info <const> = debug.getinfo(2, "S")
  local file <const> = info.short_src
  visited[file] = visited[file] or {}
  active[file] = active[file] or {}
  called[file] = called[file] or {}
  lines_of[f] = visited[file]
  if event == "line" then
    visited[file][line] = true
  elseif not called[file][info.linedefined] then
    called[file][info.linedefined] = true
    for active_line in pairs(debug.getinfo(2, "L").activelines or {}) do
      -- A function's last line is its `end`, which is not reached after an `error`.
      if active_line ~= info.lastlinedefined then active[file][active_line] = true end
    end
  end
end

local is_running = false

--- A hook is its coroutine's alone.
rawset(coroutine, "create", function(f)
  local co <const> = TestRunner.coroutine.create(f)
  if is_running then debug.sethook(co, visit, "cl") end
  return co
end)

function TestRunner.new()
  return setmetatable({ tests = {}, order = {} }, TestRunner)
end

function TestRunner:test(name, body)
  assert(not self.tests[name], name)
  self.tests[name] = body
  self.order[#self.order + 1] = name
end

--- The names of the tests, a line each.
function TestRunner:names()
  return table.concat(self.order, "\n")
end

--- Runs a test. Returns what went wrong, or "".
---@param is_recorded boolean?  whether to keep a record of the lines
function TestRunner:run(name, is_recorded)
  if not self.tests[name] then return string.format("there is no test `%s`", name) end
  is_running, self.is_recorded = is_recorded, is_recorded
  if is_recorded then debug.sethook(visit, "cl") end
  local ok <const>, message <const> = xpcall(self.tests[name], debug.traceback)
  debug.sethook()
  is_running = false
  return ok and "" or message
end

--- A line of code without its strings and its comment.
local function code(line)
  return (line:gsub("\\.", ""):gsub("%b\"\"", '""'):gsub("%b''", "''"):gsub("%-%-.*", ""))
end

--- The lines of a file, which are all of `text`, at which no test has been; also those where a
--- function is that none has called.
function TestRunner.linesNotRun(_, file, text)
  local missing <const>, number = {}, 0
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    local is_missing = active[file][number] and not visited[file][number]
    if code(line):find("%f[%w_]function%f[^%w_]") and not called[file][number] then
      is_missing = true
    end
    -- What only closes what was opened before is no line of its own.
    if is_missing and not line:find(" }%)$") then
      missing[#missing + 1] = string.format("%s:%d: %s", file, number, line)
    end
  end
  return table.concat(missing, "\n")
end

return TestRunner
