-- SPDX-License-Identifier: MIT
--
-- Cases of JSPatch's test.js, jsClassTest.js, superTest.js, InheritTest.js and multithreadTest.js: what
-- defineClass overrides and makes. translated-suites.md says which case is where.

local spec <const> = require "spec"
local js <const> = require "jspatch"
local it <const>, equal <const> = spec.it, spec.equal

js.globals()
local Relay <const>, Cell <const>, Compiled <const>, Account <const> =
  require "Shop.Relay, Shop.Cell, Shop.Compiled, Shop.Account"
local seen <const> = {}

defineClass("Shop.Relay", {
  note_ = function(self, line)
    self:ORIGnote(line .. "!")
    seen.lines = #self.lines
  end,
  number_ = function(_, value) return value + 1 end,
  fraction_ = function(_, value) return value * 2 end,
  flag_ = function(_, value) return not value end,
  text_ = function(_, value) return value .. " from Lua" end,
  maybe_ = function(_, value)
    seen.isNil = seen.isNil or value == nil
    return value
  end,
  size_ = function(_, value) return { width = value.width + 1, height = value.height } end,
  range_ = function(_, value)
    seen.upperBound = value.upperBound
    return value
  end,
  cell_ = function(_, value)
    value.label = "<" .. value.label .. ">"
    return value
  end,
  list_ = function(_, value) return { value[2], value[1] } end,
  table_ = function(_, value) return { k = value.k * 6 } end,
  kind_ = function(_, value)
    seen.isCell = value == Cell
    return value
  end,
  join_cell_number = function(self, text, cell, number)
    seen.join = { text == nil, cell == nil, number }
    return self:ORIGjoin("x", Cell("y"), number)
  end,
  __under__line___ = function(_, value) return -value end,
}, {
  number_ofAll = function(_, value) return value + 1 end,
  fraction_ofAll = function(_, value) return value * 2 end,
  cell_ofAll = function(self, value)
    local same <const> = self:ORIGcell(value)
    seen.isSame = same == value
    return Cell(same.label .. "!")
  end,
})

it("overrides take and give values of all kinds", function()
  local relay <const> = Relay()
  equal(Compiled():values(relay), {
    "43", "8.5", "false", "text from Lua", "nil", "some", "43.0", "3..<42", "<cell>", "b,a", "42", "Cell", "x y 42",
    "-42",
  })
  equal(relay.lines, { "noted!" })
  equal({ seen.lines, seen.isNil, seen.upperBound, seen.isCell, seen.join }, { 1, true, 42, true, { true, true, 42 } })
end)

it("overrides of class methods take and give values, and call the original", function()
  equal(Compiled():classValues(), { "11", "0.5", "cell!" })
  equal(seen.isSame, true)
end)

defineClass("Shop.Twig", { first = function() return "patched branch 1" end })
defineClass("Shop.Leaf", {
  second = function(self) return "patched leaf 2 over " .. self.super:second() end,
  third = function(self) return self.super:third() .. " from the leaf" end,
})
defineClass("Shop.Twig", { third = function() return "branch 3" end })

it("an override holds for subclasses that have none of their own, and for nobody above", function()
  local compiled <const> = Compiled()
  equal(compiled:inherited((class "Shop.Root")()), { "root 1", "root 2" })
  equal(compiled:inherited((class "Shop.Twig")()), { "patched branch 1", "root 2" })
  equal(compiled:inherited((class "Shop.Leaf")()), { "patched branch 1", "patched leaf 2 over root 2" })
  equal(compiled:inherited((class "Shop.Bud")()), { "bud 1", "root 2" })
end)

it("an added method calls the one that is added to the superclass", function()
  equal({ (class "Shop.Twig")():third(), (class "Shop.Leaf")():third() }, { "branch 3", "branch 3 from the leaf" })
end)

defineClass("Shop.SavingsAccount", {
  title = function(self) return self:ORIGtitle() .. ", " .. self.super:title() end,
})

it("an override calls its original and its superclass's method", function()
  equal(Account(1, "a"):title(), "a's account")
  equal((class "Shop.SavingsAccount")(1, "a"):title(), "savings of a, a's account")
  equal((class "Shop.PremiumAccount")(1, "a"):title(), "savings of a, a's account")
end)

defineClass("Own", { "first", "second" }, {
  init = function(self)
    self.super:init()
    self.first, self.second = "1", "2"
  end,
  __private = function() return "P" end,
  method = function(self) return "A" .. self.first .. self.second end,
}, {
  ofClass = function() return "A" end,
})

defineClass("Chain", { method = function() return "A" end })
defineClass("Chain1: Chain", { method = function(self) return self.super:method() .. "1" end })
defineClass("Chain2: Chain1", { method = function(self) return self.super:method() .. "2" end })

it("new classes have properties, private methods and class methods", function()
  local own <const> = class("Own")()
  equal({ own:method(), own:_private(), class("Own").static.ofClass() }, { "A12", "P", "A" })
end)

it("new classes call their superclasses, level by level", function()
  equal(class("Chain2")():method(), "A12")
end)

defineClass("Shop.Track", { dealloc = function(self) seen.track = self.title end })
defineClass("Ending: Shop.Cell", { dealloc = function(self) seen.cell = self.label end })

it("dealloc is called once, with the object as it was", function()
  do
    local track <const>, cell <const> = (class "Shop.Track")(), class("Ending")("label")
    track.title = "title"
    equal({ seen.track, cell.label }, { nil, "label" })
  end
  objects() -- collects
  equal({ seen.track, seen.cell }, { "title", "label" })
end)

defineClass("Shop.Account", { deposit_ = function(self, amount) return self:ORIGdeposit(amount) end })

it("overrides on many threads give each object its own values", function()
  local accounts <const>, tasks <const> = {}, {}
  for number = 1, 10 do
    accounts[number] = Account(number, "a")
    tasks[number] = global(function()
      for _ = 1, 20 do accounts[number]:deposit(number) end
    end)
  end
  for _, running in ipairs(tasks) do running:wait() end
  for number, account in ipairs(accounts) do
    equal({ account.balance, #account.history }, { 20 * number, 20 })
  end
end)
