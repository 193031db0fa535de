-- SPDX-License-Identifier: MIT
--
-- Cases of JSPatch's test.js: calls from scripts. translated-suites.md says which case is where.

local spec <const> = require "spec"
local js <const> = require "jspatch"
local it <const>, equal <const> = spec.it, spec.equal

js.globals()
local Relay <const>, BlockRelay <const>, Cell <const>, Size <const> =
  require "Shop.Relay, Shop.BlockRelay, Shop.Cell, Shop.Size"

it("functions return nothing, strings, floats, integers and booleans", function()
  local relay <const> = Relay()
  equal(relay:note("called"), nil)
  equal(relay.lines, { "called" })
  equal({ relay:text("text"), relay:price(), relay:number(42), relay:fraction(4.25) }, { "text", 1.5, 42, 4.25 })
  equal({ relay:flag(true), relay:flag(false) }, { true, false })
  equal({ relay:number(0), relay:number(1) }, { 0, 1 })
  spec.raises("got integer 0", relay.flag, relay, 0)
end)

it("nil goes both ways, alone and among others", function()
  local relay <const> = Relay()
  equal(relay:maybe(nil), nil)
  equal(relay:maybe("some"), "some")
  equal(relay:join(nil, nil, 42), "nil nil 42")
  equal(relay:join("a", nil, 42), "a nil 42")
  spec.raises("nil value", function() return relay:maybe(nil):anyMethod() end)
end)

it("structs are made of tables, and read by name", function()
  local relay <const> = Relay()
  local size <const> = relay:size { width = 10, height = 4.25 }
  equal({ size.width, size.height, size == Size(10, 4.25) }, { 10.0, 4.25, true })
  equal(relay:size(Size(1, 2)).height, 2.0)
  local range <const> = relay:range { 3, 42 }
  equal({ range.lowerBound, range.upperBound }, { 3, 42 })
end)

it("objects and classes keep what they are", function()
  local relay <const>, cell <const> = Relay(), Cell("c")
  equal({ relay:cell(cell) == cell, relay:cell(cell).label }, { true, "c" })
  equal({ relay:kind(Cell) == Cell, is(cell, relay:kind(Cell)) }, { true, true })
  relay.shown = cell
  equal({ relay.shown == cell, relay.shown.label }, { true, "c" })
  relay.shown.label = "changed"
  equal(cell.label, "changed")
end)

it("lists and tables are Lua's, with objects inside", function()
  local relay <const>, list <const> = Relay(), {}
  list[#list + 1] = "ctn"
  equal({ relay:list(list), relay:list {} }, { { "ctn" }, {} })
  equal(relay:table({ k = 7 }).k, 7)
  local mixture <const> = relay:mixture()
  equal({ mixture.text, mixture.number, mixture.cell == relay.shown }, { "from Swift", 42, true })
end)

it("blocks of Swift are called", function()
  local blocks <const> = BlockRelay()
  equal(blocks:block()("from Lua", 42), "done")
  equal(blocks.heard, { "from Lua 42" })
  equal({ blocks:maybeBlock()(nil), blocks:maybeBlock()("some") }, { "no error", "some" })
end)

it("blocks of Lua are called with strings, numbers, lists and objects, and give results", function()
  local blocks <const>, seen <const> = BlockRelay(), {}
  equal(blocks:call(block("NSString *, int", function(text, number)
    seen[1] = { text, number }
    return "done"
  end)), "done")
  blocks:callWithList(block("NSArray *, UIView *", function(list, cell) seen[2] = { list, cell.label } end))
  equal(seen, { { "from Swift", 42 }, { { "a", "b" }, "c" } })
end)

it("blocks of Lua get blocks, and nil", function()
  local blocks <const> = BlockRelay()
  blocks:callWithBlock(block("BOOL, NSBlock *", function(flag, inner) inner("from Lua", flag and 42 or 0) end))
  equal(blocks.heard, { "from Lua 42" })
  equal(blocks:callWithNil(block("NSError *", blocks:maybeBlock())), "no error")
end)

it("blocks of Lua take numbers of all kinds and structs", function()
  equal(BlockRelay():callWithMany(block("CGFloat, int, CGPoint, double", function(a, b, size, c, d, text, e)
    return a + b + size.width + size.height + c + d + tonumber(text) + e
  end)), 28.5)
end)

it("errors are caught, with what they hold", function()
  local works <const>, problem <const> = pcall(function() return (class "Shop.Account")(1, "a"):withdraw(43) end)
  equal({ works, problem.case, problem[1] }, { false, "insufficient", 43 })
end)
