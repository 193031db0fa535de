-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local bus <const> = require "bus"
local it <const>, equal <const> = spec.it, spec.equal

local Account <const>, Log <const> = class "Shop.Account", class "Shop.DownloadLog"

it("tells listeners by priority, then by age", function()
  local own <const>, lines <const> = bus.new(), {}
  own:on("e", function(...) lines[#lines + 1] = { "a", ... } end)
  own:on("e", function() lines[#lines + 1] = { "b" } end, { priority = 5 })
  own:on("e", function() lines[#lines + 1] = { "c" } end)
  own:on("other", function() lines[#lines + 1] = { "never" } end)
  equal(own:post("e", 1, nil, 3), 3)
  equal(lines, { { "b" }, { "a", 1, nil, 3 }, { "c" } })
  equal({ own:post("nothing"), own:count("e"), own:count() }, { 0, 3, 4 })
end)

it("ends listeners by token, by clearing, and after one event", function()
  local own <const>, count = bus.new(), 0
  local function f() count = count + 1 end
  local listener <const> = own:on("e", f)
  own:once("e", f)
  own:post("e")
  own:post("e")
  equal(count, 3)
  equal({ listener:remove(), listener:remove(), listener.active }, { true, false, false })
  own:on("e", f)
  own:on("x", f)
  own:clear("e")
  equal({ own:post("e"), own:post("x") }, { 0, 1 })
  own:clear()
  equal(own:count(), 0)
end)

it("lets listeners come and go during an event", function()
  local own <const>, lines <const> = bus.new(), {}
  local second
  own:on("e", function()
    lines[#lines + 1] = "first"
    second:remove()
    own:on("e", function() lines[#lines + 1] = "late" end)
  end)
  second = own:on("e", function() lines[#lines + 1] = "second" end)
  own:post("e")
  equal(lines, { "first" })
end)

it("does not keep owners, and ends with them", function()
  local own <const>, count = bus.new(), 0
  do
    local account <const> = Account(1, "a")
    own:on("deposit", account, "deposit(_:)")
    own:on("deposit", function() count = count + 1 end, { owner = account })
    equal(own:post("deposit", 5), 2)
    equal({ account.balance, count }, { 5, 1 })
  end
  objects() -- collects
  equal({ own:post("deposit", 5), own:count() }, { 0, 0 })
end)

it("keeps sticky events for those who come later", function()
  local own <const>, lines <const> = bus.new(), {}
  own:post_sticky("ready", 1)
  own:post_sticky("ready", 2)
  own:on("ready", function(value) lines[#lines + 1] = value end)
  own:forget("ready")
  own:on("ready", function() lines[#lines + 1] = "no" end)
  equal(lines, { 2 })
end)

it("has listeners for all events", function()
  local own <const>, lines <const> = bus.new(), {}
  own:on("*", function(name, value) lines[#lines + 1] = { name, value } end)
  own:post("a", 1)
  own:post("b", 2)
  equal(lines, { { "a", 1 }, { "b", 2 } })
end)

it("goes on when a listener fails", function()
  local own <const>, count = bus.new(), 0
  own:on("e", function() error("a mistake") end)
  own:on("e", function() count = count + 1 end)
  own:on("e", Log(), "nothing()")
  own:post("e")
  equal(count, 1)
end)

it("is shared by the patch", function()
  local seen
  local listener <const> = bus.on("e", function(value) seen = value end)
  equal({ bus.post("e", 7), seen, bus.shared:count("e") }, { 1, 7, 1 })
  listener:remove()
end)

it("refuses what is no event or listener", function()
  local own <const> = bus.new()
  spec.raises("on takes the name of an event, not nil", own.on, own)
  spec.raises("on takes a function, or an object and a method, not a number", own.on, own, "e", 5)
  spec.raises("on takes an object and the name of its method", own.on, own, "e", Log())
  spec.raises("post takes the name of an event", own.post, own, "")
end)
