-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local tracker <const> = require "tracker"
local aspects <const> = require "aspects"
local it <const>, equal <const> = spec.it, spec.equal

local Account <const>, Network <const> = class "Shop.Account", class "Shop.Network"

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

it("reports what there is not, and tracks the rest", function()
  local tracking <const> = tracker.start({
    ["Shop.Nobody"] = { "run()" }, ["Shop.Account"] = { "nothing()", "deposit(_:)", "balance" },
  }, { did = function() end })
  equal(tracking.tracked, { "Shop.Account.deposit(_:)" })
  local names <const> = {}
  for name in next, tracking.unknown do names[#names + 1] = name end
  table.sort(names)
  equal(names, { "Shop.Account.balance", "Shop.Account.nothing()", "Shop.Nobody.run()" })
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
end)
