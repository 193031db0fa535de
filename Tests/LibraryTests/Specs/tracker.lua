-- SPDX-License-Identifier: MIT
--
-- What trackers on top of method swizzling do, and where they were known to crash: beside other hooks of
-- the same methods, and with methods that a class inherits.

local spec <const> = require "spec"
local tracker <const> = require "tracker"
local aspects <const> = require "aspects"
local it <const>, equal <const> = spec.it, spec.equal

local Account <const>, Network <const> = class "Shop.Account", class "Shop.Network"
local Savings <const>, Premium <const> = class "Shop.SavingsAccount", class "Shop.PremiumAccount"

-- An override of a method that is tracked as well.
function Account:title() return "<" .. self:ORIGtitle() .. ">" end

it("tells what will happen, and what did", function()
  local lines <const> = {}
  local tracking <const> = tracker.start({ ["Shop.Account"] = { ["deposit(_:)"] = "money in", [1] = "entry(at:)" } }, {
    will = function(call) lines[#lines + 1] = { "will", call.selector, call.label, call.arguments[1] } end,
    did = function(call)
      lines[#lines + 1] = { "did", call.object.number, call.result, call.duration >= 0 and call.threw == false }
    end,
  })
  equal(tracking.tracked, { "Shop.Account.deposit(_:)", "Shop.Account.entry(at:)" })
  local account <const> = Account(4, "a")
  equal(account:deposit(5), 5)
  equal(account:entry(0), 5)
  equal(lines, {
    { "will", "deposit(_:)", "money in", 5 }, { "did", 4, 5, true },
    { "will", "entry(at:)", nil, 0 }, { "did", 4, 5, true },
  })
  equal({ tracking.calls, tracking:stop(), tracking:stop() }, { 2, 2, 0 })
  account:deposit(1)
  equal(#lines, 4)
end)

it("hands the row's event and properties on, and starts again", function()
  local money_in <const>, seen <const> = { event = "Money in", properties = { "amount" } }, {}
  for round = 1, 2 do
    local tracking <const> = tracker.start({ ["Shop.Account"] = { ["deposit(_:)"] = money_in } }, {
      will = function(call)
        seen[#seen + 1] = { call.label.event, call.label.properties[1], call.arguments[1] }
      end,
    })
    Account(1, "a"):deposit(round)
    tracking:stop()
    Account(1, "a"):deposit(round)
  end
  equal(seen, { { "Money in", "amount", 1 }, { "Money in", "amount", 2 } })
end)

it("hears of calls that the program makes itself", function()
  local amounts <const> = {}
  local tracking <const> = tracker.start({ ["Shop.Account"] = "deposit(_:)" }, {
    did = function(call) amounts[#amounts + 1] = call.result end,
  })
  Account(1, "a"):depositTwice(4)
  tracking:stop()
  equal(amounts, { 4, 8 })
end)

it("tracks inherited methods for objects of the class only", function()
  local lines <const> = {}
  local tracking <const> = tracker.start({
    ["Shop.SavingsAccount"] = { "deposit(_:)" }, ["Shop.Account"] = { "deposit(_:)" },
  }, {
    did = function(call) lines[#lines + 1] = call.class .. " " .. call.object.number end,
  })
  equal(tracking.unknown, {})
  Account(1, "a"):deposit(1)
  Premium(2, "b"):deposit(1)
  tracking:stop()
  Savings(3, "c"):deposit(1)
  equal(lines, { "Shop.Account 1", "Shop.Account 2", "Shop.SavingsAccount 2" })
end)

it("tracks initializers, observers of properties and static methods", function()
  local lines <const> = {}
  local tracking <const> = tracker.start({
    ["Shop.Account"] = { "init(number:owner:)", "balance.didSet", "static.bank()" },
  }, { did = function(call) lines[#lines + 1] = call.selector end })
  equal(tracking.unknown, {})
  Account(1, "a"):deposit(1)
  equal(Account.bank(), "Shop")
  tracking:stop()
  equal(lines, { "init(number:owner:)", "balance.didSet", "static.bank()" })
end)

it("does not track what its functions call", function()
  local count = 0
  local tracking <const> = tracker.start({ ["Shop.Account"] = { "title()", "deposit(_:)" } }, {
    did = function(call)
      count = count + 1
      call.object:title()
    end,
  })
  Account(1, "a"):deposit(1)
  Account(1, "a"):title()
  equal({ count, tracking.calls, tracking:stop() }, { 2, 2, 2 })
end)

it("is silent once it has stopped, in running calls too", function()
  local lines <const>, tracking = {}, nil
  tracking = tracker.start({ ["Shop.Account"] = "title()" }, {
    will = function()
      lines[#lines + 1] = "will"
      tracking:stop()
    end,
    did = function() lines[#lines + 1] = "did" end,
  })
  equal(Account(1, "a"):title(), "<a's account>")
  equal(lines, { "will" })
end)

it("keeps no objects", function()
  local tracking <const> = tracker.start({ ["Shop.Account"] = "deposit(_:)" }, { did = function() end })
  local reference
  do
    local account <const> = Account(1, "a")
    account:deposit(1)
    reference = weak(account)
  end
  objects() -- collects
  equal(reference.object, nil)
  tracking:stop()
end)

it("passes errors on, and tells of them", function()
  local seen
  local tracking <const> = tracker.start({ ["Shop.Account"] = "withdraw(_:)" }, {
    did = function(call) seen = { call.threw, tostring(call.error), call.result } end,
  })
  spec.raises("insufficient", function() Account(1, "a"):withdraw(3) end)
  equal(seen[1], true)
  spec.truthy(string.find(seen[2], "insufficient(3)", 1, true), seen[2])
  tracking:stop()
end)

it("passes on the errors of Lua functions below it", function()
  local seen
  local hook <const> = aspects.hook(Account, "withdraw(_:)", "instead", function() error("no money") end)
  local tracking <const> = tracker.start({ ["Shop.Account"] = "withdraw(_:)" }, {
    did = function(call) seen = tostring(call.error) end,
  })
  spec.raises("no money", function() Account(1, "a"):withdraw(0) end)
  spec.truthy(string.find(seen, "no money", 1, true), seen)
  tracking:stop()
  hook:remove()
end)

it("reports what there is not, and tracks the rest", function()
  local tracking <const> = tracker.start({
    ["Shop.Nobody"] = { "run()" },
    ["Shop.Account"] = { "nothing()", "deposit(_:)", "balance", "owner.get", 5 },
    ["Shop.SavingsAccount"] = { "static.bank()" },
  }, { did = function() end })
  equal(tracking.tracked, { "Shop.Account.deposit(_:)" })
  local names <const> = {}
  for name in next, tracking.unknown do names[#names + 1] = name end
  table.sort(names)
  equal(names, {
    "Shop.Account.5", "Shop.Account.balance", "Shop.Account.nothing()", "Shop.Account.owner.get",
    "Shop.Nobody.run()", "Shop.SavingsAccount.static.bank()",
  })
  spec.truthy(string.find(tracking.unknown["Shop.Nobody.run()"], "Nobody", 1, true))
  tracking:stop()
end)

it("is not in the way of overrides and of aspects, in either order", function()
  local lines <const> = {}
  local function did(call) lines[#lines + 1] = call.result end
  local hook <const> = aspects.hook(Account, "title()", "instead", function(info) return "h" .. info:invoke() end)
  local tracking <const> = tracker.start({ ["Shop.Account"] = "title()" }, { did = did })
  local later <const> = aspects.hook(Account, "title()", "instead", function(info) return "l" .. info:invoke() end)
  local account <const> = Account(1, "a")
  equal(account:title(), "lh<a's account>")
  equal(lines, { "h<a's account>" })
  hook:remove()
  equal(account:title(), "l<a's account>")
  tracking:stop()
  equal(account:title(), "l<a's account>")
  later:remove()
  equal(account:title(), "<a's account>")
  equal(#lines, 2)
end)

it("goes on when what hears of calls fails", function()
  local problems <const> = {}
  local tracking <const> = tracker.start({ ["Shop.Account"] = "deposit(_:)" }, {
    will = function() error("will") end, did = function() error("did") end,
    on_error = function(problem) problems[#problems + 1] = string.match(problem, "%a+$") end,
  })
  equal(Account(1, "a"):deposit(2), 2)
  equal(problems, { "will", "did" })
  tracking:stop()
end)

it("times async methods with their waits", function()
  local duration
  local tracking <const> = tracker.start({ ["Shop.Network"] = "slow(_:)" }, {
    did = function(call) duration = call.duration end,
  })
  equal(Network():slow(20), 20)
  spec.truthy(duration >= 0.02, "at least 20 ms")
  tracking:stop()
end)

it("refuses tables that say nothing", function()
  spec.raises("start takes a table of classes", tracker.start, nil, { did = print })
  spec.raises("start takes a table with a function `will` or `did`", tracker.start, {}, {})
  spec.raises("`did` is a function, not a string", tracker.start, {}, { will = print, did = "log" })
end)
