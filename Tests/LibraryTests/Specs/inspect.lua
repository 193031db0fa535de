-- SPDX-License-Identifier: MIT
--
-- Values and results are those of inspect.lua's own specification where the sandbox has what they
-- need.

local spec <const> = require "spec"
local inspect <const> = require "inspect"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

describe("numbers", function()
  it("are shown as they are", function()
    equal(inspect(1), "1")
    equal(inspect(-3.5), "-3.5")
    equal(inspect(1.0), "1.0")
    equal(inspect(0.1), "0.1")
    equal(inspect(0.1 + 0.2), "0.30000000000000004")
    equal(inspect(math.huge), "math.huge")
    equal(inspect(-math.huge), "-math.huge")
    equal(inspect(math.mininteger), "math.mininteger")
    equal(inspect(2 ^ 60), "1.152921504606847e+18")
  end)
end)

describe("strings", function()
  it("are in quotes", function()
    equal(inspect("hello"), '"hello"')
    equal(inspect('I have "quotes"'), "'I have \"quotes\"'")
    equal(inspect([[I have "quotes" and 'apostrophes']]), [["I have \"quotes\" and 'apostrophes'"]])
  end)
  it("have their control characters escaped", function()
    equal(inspect("a\nb\tc"), '"a\\nb\\tc"')
    equal(inspect("\0001"), '"\\0001"')
    equal(inspect("\0a"), '"\\0a"')
    equal(inspect("\127"), '"\\127"')
    equal(inspect("\\"), '"\\\\"')
  end)
end)

describe("nil, booleans and functions", function()
  it("have a form of their own", function()
    equal(inspect(nil), "nil")
    equal(inspect(true), "true")
    equal(inspect(print), "<function 1>")
    local f <const>, g <const> = function() end, function() end
    equal(inspect { f, g, f }, "{ <function 1>, <function 2>, <function 1> }")
  end)
end)

describe("tables", function()
  it("that are lists are on one line", function()
    equal(inspect {}, "{}")
    equal(inspect { 1, 2, 3 }, "{ 1, 2, 3 }")
    equal(inspect { "a", { "b" } }, '{ "a", { "b" } }')
  end)
  it("with keys have a line for each, sorted", function()
    equal(inspect { a = 1, b = 2 }, "{\n  a = 1,\n  b = 2\n}")
    equal(inspect { ["end"] = 1, ["a b"] = 2 }, '{\n  ["a b"] = 2,\n  ["end"] = 1\n}')
    equal(inspect { "x", a = 1 }, '{ "x",\n  a = 1\n}')
    equal(inspect { [true] = 1, [2.5] = 2, z = 3 }, "{\n  [2.5] = 2,\n  [true] = 1,\n  z = 3\n}")
  end)
  it("that occur twice have a number", function()
    local shared <const> = { 1 }
    equal(inspect { shared, shared }, "{ <1>{ 1 }, <table 1> }")
    local loop <const> = {}
    loop.me = loop
    equal(inspect(loop), "<1>{\n  me = <table 1>\n}")
  end)
  it("are shown to a depth", function()
    equal(inspect({ a = { b = { c = 1 } } }, { depth = 1 }), "{\n  a = {...}\n}")
  end)
  it("have their metatables shown", function()
    equal(inspect(setmetatable({ 1 }, { a = 2 })),
      "{ 1,\n  <metatable> = {\n    a = 2\n  }\n}")
  end)
  it("take other newlines and indents", function()
    equal(inspect({ a = { b = 1 } }, { newline = "@", indent = ">" }), "{@>a = {@>>b = 1@>}@}")
  end)
end)

describe("process", function()
  it("replaces and hides", function()
    local function hide(value) if value ~= "secret" then return value end end
    equal(inspect({ "a", "secret", "b" }, { process = hide }),
      '{ "a",\n  [3] = "b"\n}')
  end)
  it("gets paths", function()
    local paths <const> = {}
    inspect({ a = { 1 } }, { process = function(value, path)
      paths[#paths + 1] = table.concat({ table.unpack(path) }, ".", 1,
        math.min(#path, type(path[#path]) == "table" and #path - 1 or #path))
      return value
    end })
    equal(paths, { "", "a", "a", "a.1", "a.1" })
  end)
end)

describe("Swift values", function()
  it("show themselves", function()
    local Account <const> = class "Shop.Account"
    local text <const> = inspect { Account(1, "Ada") }
    spec.truthy(string.find(text, "Shop.Account", 1, true), text)
  end)
end)

it("refuses options that are no table", function()
  spec.raises("the options of inspect are a table, not a number", inspect, {}, 1)
end)
