-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local guard <const> = require "guard"
local it <const>, equal <const> = spec.it, spec.equal

local Account <const>, Network <const> = class "Shop.Account", class "Shop.Network"

local function account(balance)
  local made <const> = Account(1, "a")
  if balance then made:deposit(balance) end
  return made
end

local now = 0
local function time() return now end

local per_object <const> = guard.memoize(Account, "title()", { per_object = true })
local limited <const> = guard.rate(Account, "nickname()", { count = 1, seconds = 10, per_object = true, clock = time,
  default = "later" })

it("checks indices", function()
  local function count(self) return #self.history end
  local token <const> = guard.index(Account, "entry(at:)", { count = count, default = -1 })
  local a <const> = account(5)
  equal({ a:entry(0), a:entry(1), a:entry(-1) }, { 5, -1, -1 })
  equal({ token.calls, token.guarded, token:remove(), token:remove() }, { 3, 2, true, false })
  spec.raises("entry(at:) does not throw: give index a default", guard.index, Account, "entry(at:)", { count = 1 })
  spec.raises("index takes the option `count`", guard.index, Account, "entry(at:)", { default = 1 })
end)

it("checks keys", function()
  local token <const> = guard.key(Network, "get(_:)", { keys = { ["/a"] = true }, default = function(_, url)
    return "no " .. url
  end })
  local network <const> = Network()
  equal({ network:get("/a"), network:get("/b") }, { "GET /a", "no /b" })
  equal(network.requests, { "/a" })
  token:remove()
end)

it("replaces nil", function()
  local token <const> = guard.default(Account, "nickname()", function(self) return "n" .. self.owner end)
  equal(account():nickname(), "na")
  equal(token.guarded, 1)
  token:remove()
end)

it("checks and changes arguments", function()
  local token <const> = guard.arguments(Account, "withdraw(_:)", {
    function(amount)
      if amount <= 0 then return false, "not positive" end
      return true, math.min(amount, 10)
    end,
  })
  local a <const> = account(100)
  equal({ a:withdraw(5), a:withdraw(50) }, { 95, 85 })
  spec.raises("withdraw(_:): argument 1 is refused: not positive", function() a:withdraw(0) end)
  token:remove()
  local clamped <const> = guard.arguments(Account, "deposit(_:)", { guard.clamp(0, 7) }, { default = 0 })
  equal({ account():deposit(3), account():deposit(9), account():deposit(-2), clamped.guarded }, { 3, 7, 0, 2 })
  clamped:remove()
end)

it("limits the rate, in all or for each object", function()
  local token <const> = guard.rate(Network, "fetch(_:)", { count = 2, seconds = 10, clock = time })
  local network <const> = Network()
  network:fetch("a")
  network:fetch("b")
  spec.raises("fetch(_:): more than 2 calls in 10 s", function() network:fetch("c") end)
  now = now + 5
  equal(network:fetch("d"), "body of d")
  spec.raises("more than 2 calls", function() network:fetch("e") end)
  now = now + 100
  network:fetch("f")
  network:fetch("g")
  spec.raises("more than 2 calls", function() network:fetch("h") end)
  token:remove()
  local a <const>, b <const> = account(), account()
  equal({ a:nickname(), a:nickname(), b:nickname() }, { nil, "later", nil })
  limited:remove()
end)

it("breaks after failures, and tries again", function()
  local token <const> = guard.breaker(Network, "fetch(_:)",
    { failures = 2, reset = 10, clock = time, default = "broken" })
  local network <const> = Network()
  network.failures = 3
  for _ = 1, 2 do spec.raises("unreachable", function() network:fetch("a") end) end
  equal({ token.state, network:fetch("a"), network.failures }, { "open", "broken", 1 })
  now = now + 10
  spec.raises("unreachable", function() network:fetch("a") end)
  equal({ token.state, network:fetch("a") }, { "open", "broken" })
  now = now + 10
  equal({ network:fetch("a"), token.state, network:fetch("b") }, { "body of a", "closed", "body of b" })
  token:remove()
  spec.raises("a breaker would see no failure", guard.breaker, Account, "title()")
end)

it("tries again, with growing pauses", function()
  local pauses <const> = {}
  local token <const> = guard.retry(Network, "load(_:)", {
    attempts = 4, delay = 1, sleep = function(seconds) pauses[#pauses + 1] = seconds end,
  })
  local network <const> = Network()
  network.failures = 3
  equal(network:load("a"), "body of a")
  equal({ pauses, token.guarded }, { { 1, 2, 4 }, 3 })
  network.failures = 4
  spec.raises("unreachable", function() network:load("a") end)
  token:remove()
  local picky <const> = guard.retry(Network, "fetch(_:)", { when = function() return false end })
  network.failures = 1
  spec.raises("unreachable", function() network:fetch("a") end)
  picky:remove()
  local calm <const> = guard.retry(Network, "fetch(_:)", { attempts = 2, default = "nothing" })
  network.failures = 5
  equal(network:fetch("a"), "nothing")
  equal(network.failures, 3)
  calm:remove()
end)

it("cancels what takes too long", function()
  local token <const> = guard.timeout(Network, "slow(_:)", 0.05, { default = -1 })
  equal({ Network():slow(1), Network():slow(60000), token.guarded }, { 1, -1, 1 })
  token:remove()
  local throwing <const> = guard.timeout(Network, "slow(_:)", 0.01)
  spec.raises("timed out after 0.01 s", function() Network():slow(60000) end)
  throwing:remove()
end)

it("remembers results", function()
  local token <const> = guard.memoize(Network, "get(_:)", { size = 2, seconds = 10, clock = time })
  local network <const> = Network()
  for _, url in ipairs { "a", "a", "b", "a", "c", "a" } do equal(network:get(url), "GET " .. url) end
  equal(network.requests, { "a", "b", "c", "a" })
  now = now + 20
  network:get("c")
  equal(#network.requests, 5)
  token:clear()
  network:get("c")
  equal(#network.requests, 6)
  token:remove()
  local a <const>, b <const> = account(), account()
  b.owner = "b"
  equal({ a:title(), b:title(), a:title(), per_object.guarded }, { "a's account", "b's account", "a's account", 1 })
  per_object:remove()
end)

it("returns something where the method throws", function()
  local token <const> = guard.fallback(Account, "withdraw(_:)", function(problem, self, amount)
    return string.find(tostring(problem), "insufficient", 1, true) and self.balance - amount or 0
  end)
  equal(account(1):withdraw(5), -4)
  token:remove()
end)

it("has the last guard outermost", function()
  local network <const> = Network()
  local inner <const> = guard.retry(Network, "fetch(_:)", { attempts = 2 })
  local outer <const> = guard.fallback(Network, "fetch(_:)", "fell back")
  network.failures = 1
  equal(network:fetch("a"), "body of a")
  network.failures = 9
  equal({ network:fetch("a"), network.failures }, { "fell back", 7 })
  outer:remove()
  inner:remove()
end)

it("refuses what it cannot guard", function()
  spec.raises("rate takes a class and a selector", guard.rate, 5)
  spec.raises("rate takes the options `count`", guard.rate, Network, "fetch(_:)", { count = 0 })
  spec.raises("the options of retry are a table, not a number", guard.retry, Network, "fetch(_:)", 5)
  spec.raises("has no function `nothing()`", guard.fallback, Network, "nothing()", 1)
end)
