-- SPDX-License-Identifier: MIT
--
-- The vocabulary of a patch's tests, busted's, and what runs them. `waxwing test` puts this module
-- beside the tests, which declare themselves while they load and run when they are asked for, phase
-- by phase: before the patch is live, while it is, and when it has ended.

local inspect <const> = require "waxwing.inspect"

---@class waxwing.Test
---@field context fun(name: string, body: fun())  another word for `describe`
---@field assert any
---Lua's own, and checks: `assert.are.equal(1, x)`, `assert.is_true(x)`, `assert.has_error(f, "x")`
local test <const> = {}

---@alias waxwing.TestPhase "baseline"|"patched"|"restored"

---@class waxwing.TestResult
---@field name string
---@field phase waxwing.TestPhase
---@field ok boolean
---@field pending boolean?
---@field at string?       where it failed, file and line
---@field message string?  why

local declared <const> = {}
local group = { name = "", before = {}, after = {} }

--- Where the function of the vocabulary that calls this is called: "fees/spec/fees_spec.lua:7".
local function place()
  local _, message <const> = pcall(error, "", 5)
  return (string.gsub(tostring(message), ":?%s*$", ""))
end

local function declare(name, body, phases)
  if type(name) ~= "string" or type(body) ~= "function" then
    error('a test is a name and a function: it("pays", function() … end)', 3)
  end
  declared[#declared + 1] = {
    name = group.name .. name, body = body, phases = phases, group = group, at = place(),
  }
end

--- Gives the tests in `body` a common beginning of their names, and functions before and after each
--- of them.
---@param name string
---@param body fun()
function test.describe(name, body)
  local outer <const> = group
  group = { name = outer.name .. name .. " ", before = {}, after = {}, outer = outer }
  body()
  group = outer
end

test.context = test.describe

--- A test of what the program does with the patch. It may wait.
---@param name string
---@param body fun(): any
function test.it(name, body) declare(name, body, { patched = true }) end

--- A test of what the program does without the patch: it runs before the patch is live and again
--- when it has ended. What it returns has to be the same both times.
---@param name string
---@param body fun(): any
function test.baseline(name, body) declare(name, body, { baseline = true, restored = true }) end

--- A test of what the patch does not change: it runs in all phases, and has to return the same.
---@param name string
---@param body fun(): any
function test.unchanged(name, body)
  declare(name, body, { baseline = true, patched = true, restored = true })
end

--- A test that is still to be written.
---@param name string
---@param body function?  is not run
function test.pending(name, body)
  declare(name, body or function() end, { patched = true })
  declared[#declared].is_pending = true
end

--- Runs a function before each test of the group.
---@param f fun()
function test.before_each(f) group.before[#group.before + 1] = f end

--- Runs a function after each test of the group, also if the test has failed.
---@param f fun()
function test.after_each(f) group.after[#group.after + 1] = f end

-- Assertions --------------------------------------------------------------------------------------

--- Whether two values are alike: tables, if what is in them is.
---@return boolean
function test.same(a, b)
  if a == b then return math.type(a) == math.type(b) end
  if type(a) ~= "table" or type(b) ~= "table" then return a ~= a and b ~= b end
  for key, value in next, a do
    if not test.same(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

local function expected(what, found)
  return function(is_negated)
    return string.format("expected %s%s, found %s", is_negated and "anything but " or "", what,
      inspect(found))
  end
end

--- By name: whether it holds, and a function that says what is wrong.
local checks <const> = {}

function checks.equal(wanted, found) return wanted == found, expected(inspect(wanted), found) end
checks.equals = checks.equal

function checks.same(wanted, found)
  return test.same(wanted, found), expected(inspect(wanted), found)
end

checks["true"] = function(found) return found == true, expected("true", found) end
checks["false"] = function(found) return found == false, expected("false", found) end
checks["nil"] = function(found) return found == nil, expected("nil", found) end

function checks.truthy(found) return found and true or false, expected("a true value", found) end
function checks.falsy(found) return not found, expected("nil or false", found) end

function checks.near(wanted, found, tolerance)
  return math.abs(wanted - found) <= tolerance,
    expected(string.format("%s ± %s", wanted, tolerance), found)
end

function checks.matches(pattern, found)
  local holds <const> = string.find(tostring(found), pattern) ~= nil
  return holds, expected("a match of " .. inspect(pattern), found)
end

--- That a function raises an error; one whose text has this in it.
function checks.error(f, text)
  local works <const>, problem <const> = pcall(f)
  local found <const> = works and "none" or tostring(problem)
  local holds <const> = not works and (text == nil or string.find(found, text, 1, true) ~= nil)
  return holds, function(is_negated)
    if is_negated then return "expected no error, found " .. inspect(found) end
    return string.format("expected an error%s, found %s", text and " with " .. inspect(text) or "",
      works and "none" or inspect(found))
  end
end
checks.errors = checks.error

for _, name in ipairs { "number", "string", "table", "boolean", "function", "userdata" } do
  checks[name] = function(found) return type(found) == name, expected("a " .. name, found) end
end

local fillers <const> = { a = true, are = true, be = true, does = true, has = true, have = true,
  is = true, to = true, was = true }

--- `assert.is_not_nil`, `assert.are.same`, `assert.has_no.errors`: each word negates, says which
--- check is meant, or reads well.
local function assertions(is_negated)
  return setmetatable({}, {
    __index = function(_, key)
      local negated, rest = is_negated, {}
      for word in string.gmatch(key, "[^_]+") do
        if word == "not" or word == "no" then
          negated = not negated
        elseif not fillers[word] then
          rest[#rest + 1] = word
        end
      end
      if #rest == 0 then return assertions(negated) end
      local check <const> = checks[table.concat(rest, "_")]
      if not check then error(string.format("there is no assertion `%s`", key), 2) end
      return function(...)
        local holds <const>, describe <const> = check(...)
        if holds == negated then error(describe(negated), 2) end
        return ...
      end
    end,
    __call = function(_, value, message, ...)
      if not value then error(message or "assertion failed!", 2) end
      return value, message, ...
    end,
  })
end

test.assert = assertions(false)

-- Running -----------------------------------------------------------------------------------------

--- What is to run before or after a test, from the outermost group on.
local function around(entry, field)
  local groups <const> = {}
  local current = entry.group
  while current do
    table.insert(groups, 1, current)
    current = current.outer
  end
  local functions <const> = {}
  for _, one in ipairs(groups) do
    for _, f in ipairs(one[field]) do functions[#functions + 1] = f end
  end
  return functions
end

local function call(entry)
  for _, f in ipairs(around(entry, "before")) do f() end
  local results <const> = table.pack(pcall(entry.body))
  local after <const> = around(entry, "after")
  for i = #after, 1, -1 do after[i]() end
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

--- Whether the test succeeds, and why not. A task has limits of its own.
local function attempt(entry, phase)
  local results <const> = table.pack(pcall(function() return task(call, entry):wait() end))
  if not results[1] then return false, tostring(results[2]) end
  local returned <const> = inspect({ table.unpack(results, 2, results.n) })
  if entry.returned == nil then
    entry.returned = returned
  elseif entry.returned ~= returned then
    return false, string.format("%s, it returns %s; at baseline it returned %s", phase, returned,
      entry.returned)
  end
  return true
end

--- Runs the tests of a phase.
---@param phase waxwing.TestPhase
---@return waxwing.TestResult[]
function test.run(phase)
  local found <const> = {}
  for _, entry in ipairs(declared) do
    if entry.phases[phase] then
      local result <const> = { name = entry.name, phase = phase, ok = true }
      if entry.is_pending then
        result.pending = true
      else
        local problem
        result.ok, problem = attempt(entry, phase)
        if not result.ok then
          local at <const>, message <const> = string.match(problem, "^(%S-%.lua:%d+): (.*)$")
          result.at, result.message = at or entry.at, message or problem
        end
      end
      found[#found + 1] = result
    end
  end
  return found
end

return test
