-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local signal <const> = require "signal"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

local Account <const>, Network <const> = class "Shop.Account", class "Shop.Network"

--- What a signal tells: values, then "|" for the completion or "#" and the error.
local function record(source)
  local lines <const> = {}
  local subscription <const> = source:subscribe {
    next = function(value) lines[#lines + 1] = value end,
    error = function(problem) lines[#lines + 1] = "#" .. (string.gsub(tostring(problem), "^.-:%d+: ", "")) end,
    completed = function() lines[#lines + 1] = "|" end,
  }
  return lines, subscription
end

local function told(source, expected)
  local lines <const> = record(source)
  for index, value in ipairs(lines) do
    if type(value) == "table" then lines[index] = table.concat(value, "+") end
  end
  equal(table.concat((function()
    local parts <const> = {}
    for index, value in ipairs(lines) do parts[index] = tostring(value) end
    return parts
  end)(), " "), expected)
end

describe("sources", function()
  it("tell what they are made of", function()
    told(signal.of(1, 2, 3), "1 2 3 |")
    told(signal.from { "a", "b" }, "a b |")
    told(signal.empty, "|")
    told(signal.never, "")
    told(signal.fail("why"), "#why")
    told(signal.create(function(observer)
      observer.next(1)
      observer.completed()
      observer.next(2)
      observer.error("late")
    end), "1 |")
    told(signal.create(function() error("a mistake") end), "#a mistake")
  end)

  it("with a value tell it first", function()
    local value <const> = signal.value(1)
    local lines <const>, subscription <const> = record(value)
    value:set(2)
    subscription:dispose()
    value:set(3)
    equal({ lines, value:get() }, { { 1, 2 }, 3 })
  end)

  it("may be told from outside", function()
    local subject <const> = signal.subject()
    subject:next(0)
    local a <const> = record(subject)
    subject:next(1)
    local b <const> = record(subject)
    subject:next(2)
    subject:completed()
    subject:next(3)
    equal({ a, b, (record(subject)) }, { { 1, 2, "|" }, { 2, "|" }, { "|" } })
  end)

  it("tell the time", function()
    local time <const> = signal.virtual_scheduler()
    local lines <const>, subscription <const> = record(signal.timer(2, time))
    time:advance(5)
    equal(lines, { 1, 2 })
    subscription:dispose()
    time:advance(5)
    equal(#lines, 2)
    local real <const> = record(signal.timer(0.001):take(3))
    while real[#real] ~= "|" do sleep(0.001) end
    equal(real, { 1, 2, 3, "|" })
  end)

  it("tell of calls of a method, while somebody observes", function()
    local account <const> = Account(1, "a")
    local lines <const>, first <const> = record(signal.calls(Account, "deposit(_:)"):map(function(call)
      return { call.object.number, call.arguments[1], call.result }
    end))
    account:depositTwice(5)
    first:dispose()
    account:deposit(1)
    equal(lines, { { 1, 5, 5 }, { 1, 5, 10 } })
    local other <const> = Account(2, "b")
    local before <const>, second <const> = record(signal.calls(Account, "deposit(_:)",
      { instance = other, position = "before" }))
    account:deposit(1)
    other:deposit(2)
    second:dispose()
    equal({ #before, before[1].arguments[1], before[1].result }, { 1, 2, nil })
  end)

  it("tell the elements of an async sequence", function()
    local network <const> = Network()
    local lines <const> = record(signal.sequence(function() return network:ticks(3) end))
    while lines[#lines] ~= "|" do sleep(0.001) end
    equal(lines, { 1, 2, 3, "|" })
    local few <const> = record(signal.sequence(function() return network:ticks(30) end):take(2))
    while few[#few] ~= "|" do sleep(0.001) end
    equal(few, { 1, 2, "|" })
  end)
end)

describe("operators of one signal", function()
  local numbers <const> = signal.of(1, 2, 2, 3, 1)
  it("change and choose values", function()
    told(numbers:map(function(value) return value * 10 end), "10 20 20 30 10 |")
    told(numbers:filter(function(value) return value > 1 end), "2 2 3 |")
    told(numbers:ignore(), "|")
    told(numbers:ignore(2), "1 3 1 |")
    told(numbers:distinct(), "1 2 3 1 |")
    told(numbers:distinct(function(a, b) return a <= b end), "1 1 |")
    told(numbers:take(2), "1 2 |")
    told(numbers:take(0), "|")
    told(numbers:take(9), "1 2 2 3 1 |")
    told(numbers:take_last(2), "3 1 |")
    told(numbers:take_last(0), "|")
    told(numbers:take_while(function(value) return value < 3 end), "1 2 2 |")
    told(numbers:skip(3), "3 1 |")
    told(numbers:start_with(0, 9), "0 9 1 2 2 3 1 |")
    told(numbers:collect(), "1+2+2+3+1 |")
  end)

  it("fold", function()
    local function add(a, b) return a + b end
    told(numbers:scan(0, add), "1 3 5 8 9 |")
    told(numbers:reduce(0, add), "9 |")
    told(signal.empty:reduce(7, add), "7 |")
  end)

  it("pass errors on", function()
    local failing <const> = signal.of(1):concat(signal.fail("no"))
    told(failing:map(function(value) return value end), "1 #no")
    told(failing:take_last(1), "#no")
    told(signal.of(1, 2):map(function() error("bad") end), "#bad")
  end)

  it("let others see what is told", function()
    local seen <const> = {}
    told(signal.of(1, 2):tap {
      next = function(value) seen[#seen + 1] = value end, completed = function() seen[#seen + 1] = "|" end,
    }, "1 2 |")
    equal(seen, { 1, 2, "|" })
  end)
end)

describe("operators of several signals", function()
  it("merge, join and flatten", function()
    told(signal.merge(signal.of(1, 2), signal.of(3)), "1 2 3 |")
    told(signal.of(1):merge(signal.empty, signal.of(2)), "1 2 |")
    told(signal.of(1):concat(signal.of(2), signal.of(3)), "1 2 3 |")
    told(signal.of(1, 2):flat_map(function(value) return signal.of(value, value * 10) end), "1 10 2 20 |")
    told(signal.of(1):flatten("merge"), "#flatten is for signals of signals")
  end)

  it("merge as values come, concatenate in order, and switch to the newest", function()
    for strategy, expected in next, {
      merge = "a1 b1 a2 b2 |", concat = "a1 a2 |", latest = "a1 b1 b2 |",
    } do
      local outer <const>, a <const>, b <const> = signal.subject(), signal.subject(), signal.subject()
      local lines <const> = record(outer:flatten(strategy))
      outer:next(a)
      a:next("a1")
      outer:next(b)
      b:next("b1")
      a:next("a2")
      outer:completed()
      a:completed()
      b:next("b2")
      b:completed()
      if strategy == "concat" then expected = "a1 a2 b2 |" end
      equal({ strategy, table.concat(lines, " ") }, { strategy, expected })
    end
  end)

  it("take until something happens", function()
    local values <const>, trigger <const> = signal.subject(), signal.subject()
    local lines <const> = record(values:take_until(trigger))
    values:next(1)
    trigger:next()
    values:next(2)
    equal(lines, { 1, "|" })
    told(signal.of(1):take_until(signal.of(0)), "|")
  end)

  it("zip values, and combine the newest", function()
    told(signal.zip { signal.of(1, 2, 3), signal.of("a", "b") }, "1+a 2+b |")
    told(signal.zip({ signal.of(1, 2), signal.of(3, 4) }, function(x, y) return x * y end), "3 8 |")
    told(signal.zip {}, "|")
    local a <const>, b <const> = signal.subject(), signal.subject()
    local lines <const> = record(signal.combine_latest({ a, b }, function(x, y) return x .. y end))
    a:next("1")
    b:next("x")
    a:next("2")
    b:next("y")
    a:completed()
    b:next("z")
    b:completed()
    equal(lines, { "1x", "2x", "2y", "2z", "|" })
  end)

  it("sample", function()
    local values <const>, sampler <const> = signal.subject(), signal.subject()
    local lines <const> = record(values:sample(sampler))
    sampler:next()
    values:next(1)
    values:next(2)
    sampler:next()
    sampler:next()
    equal(lines, { 2 })
  end)
end)

describe("errors", function()
  it("are caught", function()
    told(signal.fail("x"):catch(function(problem) return signal.of("caught " .. problem) end), "caught x |")
    told(signal.fail("x"):catch(function() error("y") end), "#y")
  end)

  it("begin anew, so often", function()
    local attempts = 0
    local source <const> = signal.create(function(observer)
      attempts = attempts + 1
      observer.next(attempts)
      if attempts % 3 == 0 then observer.completed() else observer.error("again") end
    end)
    told(source:retry(), "1 2 3 |")
    told(source:retry(1), "4 5 #again")
  end)
end)

describe("operators of time", function()
  it("delay", function()
    local time <const> = signal.virtual_scheduler()
    local lines <const> = record(signal.of(1, 2):delay(3, time))
    time:advance(2.9)
    equal(lines, {})
    time:advance(0.1)
    equal(lines, { 1, 2, "|" })
  end)

  it("debounce and throttle", function()
    local time <const> = signal.virtual_scheduler()
    local subject <const> = signal.subject()
    local quiet <const>, some <const> = record(subject:debounce(2, time)), (record(subject:throttle(2, time)))
    for value = 1, 4 do
      subject:next(value)
      time:advance(value == 3 and 5 or 1)
    end
    subject:completed()
    equal(quiet, { 3, 4, "|" })
    equal(some, { 1, 2, 3, 4, "|" })
  end)

  it("fail where nothing comes", function()
    local time <const> = signal.virtual_scheduler()
    local subject <const> = signal.subject()
    local lines <const> = record(subject:timeout(2, nil, time))
    time:advance(1)
    subject:next(1)
    time:advance(1.5)
    subject:next(2)
    time:advance(2)
    subject:next(3)
    equal(lines, { 1, 2, "#timed out after 2 s" })
  end)

  it("deliver on a queue, in order", function()
    local lines <const> = record(signal.of(1, 2, 3):deliver_on("task"))
    equal(lines, {})
    while lines[#lines] ~= "|" do sleep(0.001) end
    equal(lines, { 1, 2, 3, "|" })
  end)
end)

describe("sharing", function()
  it("replays to those who come later, with one subscription", function()
    local count, subject = 0, signal.subject()
    local source <const> = signal.create(function(observer)
      count = count + 1
      return subject:subscribe { next = observer.next, completed = observer.completed }
    end):replay(2)
    local a <const>, first <const> = record(source)
    for value = 1, 3 do subject:next(value) end
    local b <const>, second <const> = record(source)
    subject:next(4)
    equal({ a, b, count }, { { 1, 2, 3, 4 }, { 2, 3, 4 }, 1 })
    first:dispose()
    second:dispose()
    local c <const> = record(source)
    equal({ c, count }, { {}, 2 })
    subject:completed()
    equal((record(source)), { "|" })
  end)

  it("shares without replaying", function()
    local subject <const> = signal.subject()
    local shared <const> = subject:share()
    local a <const> = record(shared)
    subject:next(1)
    local b <const> = record(shared)
    subject:next(2)
    equal({ a, b }, { { 1, 2 }, { 2 } })
  end)
end)

describe("subscriptions", function()
  it("end once, and tell nothing after", function()
    local ended = 0
    local _, subscription <const> = record(signal.create(function() return function() ended = ended + 1 end end))
    equal({ subscription.disposed, subscription:dispose(), subscription:dispose(), ended }, { false, true, false, 1 })
    local all <const> = signal.composite()
    all:add(signal.disposable(function() ended = ended + 1 end))
    all:dispose()
    all:add(signal.disposable(function() ended = ended + 1 end))
    equal(ended, 3)
  end)

  it("end when their function fails, and others go on", function()
    local subject <const>, count = signal.subject(), 0
    subject:subscribe(function() error("a mistake") end)
    subject:subscribe(function() count = count + 1 end)
    subject:next(1)
    subject:next(2)
    equal(count, 2)
  end)

  it("may be disposed of by their own function", function()
    local subject <const>, lines <const> = signal.subject(), {}
    local subscription
    subscription = subject:subscribe(function(value)
      lines[#lines + 1] = value
      subscription:dispose()
    end)
    subject:next(1)
    subject:next(2)
    equal(lines, { 1 })
  end)
end)

it("refuses what is no signal or function", function()
  spec.raises("create takes a function of an observer, not a nil", signal.create)
  spec.raises("map takes a function, not a number", signal.never.map, signal.never, 5)
  spec.raises("merge takes signals", signal.merge, 5)
  spec.raises("take takes a count, 0 or more", signal.never.take, signal.never, -1)
  spec.raises("subscribe takes a function, or a table", signal.never.subscribe, signal.never, 5)
  spec.raises("flatten takes", signal.never.flatten, signal.never, "all")
end)

-- The end of the patch ends these.
signal.timer(0.01):subscribe(function() end)
signal.calls(Account, "title()"):subscribe(function() end)
