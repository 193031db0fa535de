-- SPDX-License-Identifier: MIT
--
-- The vocabulary of the library's specifications: that of the tests of patches, with a few checks. A
-- specification declares tests while it loads, and the program runs them once it is live.

local inspect <const> = require "waxwing.inspect"
local test <const> = require "waxwing.test"

local spec <const> = { describe = test.describe, it = test.it }

local function fail(...)
  error(string.format(...), 3)
end

--- Tables are equal if what is in them is.
function spec.equal(found, expected)
  if not test.same(found, expected) then
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
  for _, result in ipairs(test.run("patched")) do
    lines[#lines + 1] = result.ok and "ok " .. result.name
      or string.format("not ok %s: %s: %s", result.name, result.at,
        (string.gsub(result.message, "\n", " ")))
  end
  if #lines == 0 then lines[1] = "not ok: the specification has no test" end
  return table.concat(lines, "\n")
end

return spec
