-- SPDX-License-Identifier: MIT
--
-- The vocabulary of the library's specifications: a specification declares tests while it loads,
-- and the program runs them once it is live.

local inspect <const> = require "waxwing.inspect"

local spec <const> = {}

local tests <const> = {}
local group = ""

--- Gives the tests in `body` a common beginning of their names.
---@param name string
---@param body fun()
function spec.describe(name, body)
  local outer <const> = group
  group = outer .. name .. " "
  body()
  group = outer
end

--- A test. It may wait.
---@param name string
---@param body fun()
function spec.it(name, body)
  tests[#tests + 1] = { name = group .. name, body = body }
end

local function fail(...)
  error(string.format(...), 3)
end

local function same(a, b)
  if a == b then return math.type(a) == math.type(b) end
  if type(a) ~= "table" or type(b) ~= "table" then return a ~= a and b ~= b end
  for key, value in next, a do
    if not same(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

--- Tables are equal if what is in them is.
function spec.equal(found, expected)
  if not same(found, expected) then
    fail("expected %s, found %s", inspect(expected), inspect(found))
  end
end

--- What is neither nil nor false.
function spec.truthy(found, what)
  if not found then fail("expected %s, found %s", what or "a true value", inspect(found)) end
end

--- nil or false.
function spec.falsy(found, what)
  if found then fail("expected %s, found %s", what or "nil or false", inspect(found)) end
end

--- That `f` raises an error whose text contains `text`.
---@return string  the error as text
function spec.raises(text, f, ...)
  local works <const>, message <const> = pcall(f, ...)
  if works then fail("expected an error with '%s'", text) end
  if not string.find(tostring(message), text, 1, true) then
    fail("expected an error with '%s', found '%s'", text, tostring(message))
  end
  return tostring(message)
end

local Spec <const> = class "Shop.Spec"

function Spec.run(_)
  local lines <const> = {}
  for _, test in ipairs(tests) do
    -- A task has limits of its own.
    local works <const>, message <const> = pcall(function() return task(test.body):wait() end)
    lines[#lines + 1] = works and "ok " .. test.name
      or string.format("not ok %s: %s", test.name, (string.gsub(tostring(message), "\n", " ")))
  end
  if #lines == 0 then lines[1] = "not ok: the specification has no test" end
  return table.concat(lines, "\n")
end

return spec
