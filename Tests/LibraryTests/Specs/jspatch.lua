-- SPDX-License-Identifier: MIT
--
-- translated-suites.md says which case of JSPatchTests.m is where.

local spec <const> = require "spec"
local js <const> = require "jspatch"
local it <const>, equal <const> = spec.it, spec.equal

js.globals()
local Account <const>, Savings <const>, Cell <const> = require "Shop.Account, Shop.SavingsAccount, Shop.Cell"

defineClass("Shop.Account", { "note", "tries" }, {
  title = function(self) return "<" .. self:ORIGtitle() .. ">" end,
  withdraw_ = function(self, amount)
    js.setProp(self, (js.getProp(self, "tries") or 0) + 1, "tries")
    return self:ORIGwithdraw(amount)
  end,
  entry_at = nil,
  summary = function(self) return self.owner .. " has " .. self.balance end,
}, {
  bank = function(self) return "patched " .. self:ORIGbank() end,
})

defineClass("Shop.SavingsAccount", {
  title = function(self) return "s:" .. self:ORIGtitle() end,
})

defineClass("Bold: Shop.Cell <Shop.DownloaderDelegate>", { "count" }, {
  init = function(self, label) self.super:init("*" .. label .. "*") end,
  downloaderDidStart_ = function(self) self.count = 100 end,
  downloader_didReceive = function(self, _, bytes) self.count = self.count + bytes end,
  downloader_shouldRetry = function(_, _, attempt) return attempt < 3 end,
  twice = function(self) return self.label .. self.label end,
}, {
  made = function(_, label) return class("Bold")(label) end,
})

defineClass("Shop.Cell <Shop.TableSource>", nil, {
  rowCount_in = function() return 2 end,
  cell_forRow_in = fallback(function(self, row) return Cell(self.label .. row) end, Cell("?")),
})

it("overrides methods of instances and of classes", function()
  local account <const> = Account(1, "Ada")
  equal({ account:title(), Account:bank() }, { "<Ada's account>", "patched Shop" })
  equal(Savings(1, "Bo"):title(), "s:savings of Bo")
end)

it("adds properties, which each object has for itself", function()
  local a <const>, b <const> = Account(1, "a"), Account(2, "b")
  a:deposit(9)
  a:withdraw(1)
  a:withdraw(1)
  js.setProp(a, "hello", "note")
  equal({ js.getProp(a, "note"), js.getProp(a, "tries"), js.getProp(b, "note"), b.tries }, { "hello", 2, nil, nil })
end)

it("adds methods", function()
  equal(Account(1, "Ada"):summary(), "Ada has 0")
end)

it("makes classes with protocols and class methods", function()
  local downloader <const>, bold <const> = (class "Shop.Downloader")(), class("Bold").static.made("x")
  downloader.delegate = bold
  equal(downloader:run(), 3)
  equal({ bold.count, bold:twice(), bold.label }, { 107, "*x**x*", "*x*" })
end)

it("lets a class of the program conform to a protocol", function()
  local view <const> = (class "Shop.TableView")()
  view.source = Cell("r")
  equal(view:render(), { "r0", "r1" })
end)

it("finds classes and modules", function()
  equal({ tostring(Account), tostring(Cell) }, { "Shop.Account", "Shop.Cell" })
  equal(require "spec", spec)
  equal(include "spec.lua", spec)
  spec.raises("require takes names with commas between them", js.require, 5)
end)

it("runs functions on queues", function()
  local done <const> = {}
  dispatch_after(0.001, function() done.after = true end)
  dispatch_async_main(function() done.async_main = true end)
  dispatch_async_global_queue(function() done.global = true end)
  equal(dispatch_sync_main(function() return 7 end), 7)
  while not (done.after and done.async_main and done.global) do sleep(0.001) end
end)

it("has blocks, weak and strong references, and nsnull", function()
  local f <const> = block("void, int", function(value) return value end)
  equal({ f(3), block(f) == f }, { 3, true })
  local seen <const> = {}
  (class "Shop.Network")():notify(block("int", function(value) seen[#seen + 1] = value end))
  equal(seen, { 1, 2 })
  local cell <const> = Cell("c")
  local reference <const> = js.weak(cell)
  equal({ strong(reference).label, nsnull == null }, { "c", true })
  spec.raises("block takes a function", block, "int")
end)

it("translates names", function()
  for name, selector in next, {
    title = "title", deposit_ = "deposit(_:)", a_b_c = "a(b:c:)", __hidden_ = "_hidden(_:)", ORIGa_b = "ORIGa(b:)",
  } do
    equal({ name, js.selector(name) }, { name, selector })
  end
end)

it("refuses what it cannot define", function()
  spec.raises("defineClass takes a declaration", defineClass, 5)
  spec.raises("the method `title` is a function, not a number", defineClass, "Shop.Account", { title = 5 })
end)
