-- SPDX-License-Identifier: MIT
--
-- translated-suites.md says which case of AspectsDemoTests.m is where.

local spec <const> = require "spec"
local aspects <const> = require "aspects"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

local Account <const>, Savings <const> = class "Shop.Account", class "Shop.SavingsAccount"
local Premium <const>, Cell <const> = class "Shop.PremiumAccount", class "Shop.Cell"
local Network <const>, Studio <const> = class "Shop.Network", class "Shop.Studio"
local Track <const>, LiveTrack <const> = class "Shop.Track", class "Shop.LiveTrack"
local Relay <const> = class "Shop.Relay"

aspects.prepare_deinit(Cell)
aspects.prepare_deinit(Track)
aspects.prepare_deinit(LiveTrack) -- the one of the class above is enough

-- The class above comes too late here.
aspects.prepare_deinit(Savings)
local _, too_late <const> = pcall(aspects.prepare_deinit, Account)

local function code(...)
  local works <const>, problem <const> = pcall(aspects.hook, ...)
  if works then
    problem:remove()
    return "none"
  end
  return type(problem) == "table" and problem.code or tostring(problem)
end

describe("a hook of a class", function()
  it("runs for all objects, and after its removal for none", function()
    local a <const>, b <const>, seen <const> = Account(1, "a"), Account(2, "b"), {}
    local token <const> = aspects.hook(Account, "deposit(_:)", function(info, amount)
      local arguments <const> = info.arguments
      seen[#seen + 1] = { info.instance.number, amount, arguments[1], arguments.n, info.result }
    end)
    a:deposit(5)
    b:depositTwice(7)
    equal(seen, { { 1, 5, 5, 1, 5 }, { 2, 7, 7, 1, 7 }, { 2, 7, 7, 1, 14 } })
    equal({ token:remove() }, { true })
    equal({ token:remove() }, { false })
    a:deposit(1)
    equal(#seen, 3)
  end)

  it("takes a block with the invocation alone", function()
    local count = 0
    local token <const> = aspects.hook(Account, "withdraw(_:)", "before", function(info)
      count = count + info.arguments[1]
    end)
    local account <const> = Account(1, "a")
    account:deposit(9)
    equal(account:withdraw(4), 5)
    equal(count, 4)
    token:remove()
  end)

  it("instead gives its own result, and the original's through the invocation", function()
    local account <const> = Account(1, "a")
    local token <const> = aspects.hook(Account, "title()", "instead", function(info)
      return "new " .. info:invoke()
    end)
    equal(account:title(), "new a's account")
    token:remove()
    equal(account:title(), "a's account")
  end)

  it("before leaves the result and may change arguments; after may change the result", function()
    local account <const> = Account(1, "a")
    local before <const> = aspects.hook(Account, "deposit(_:)", "before", function(info)
      info.arguments[1] = info.arguments[1] * 10
      return 1000
    end)
    equal(account:deposit(2), 20)
    local after <const> = aspects.hook(Account, "deposit(_:)", "after", function(info)
      info.result = -info.result
      return 7
    end)
    equal(account:deposit(1), -30)
    equal({ before:remove(), after:remove() }, { true, true })
    equal(account:deposit(1), 31)
  end)

  it("runs before, instead and after in this order", function()
    local lines <const>, tokens <const> = {}, {}
    for _, position in ipairs { "after", "instead", "before" } do
      tokens[#tokens + 1] = aspects.hook(Account, "title()", position, function(info)
        lines[#lines + 1] = position
        if position == "instead" then return info:invoke() end
      end)
    end
    Account(1, "a"):title()
    equal(lines, { "before", "instead", "after" })
    for _, token in ipairs(tokens) do equal({ token:remove() }, { true }) end
    for _, token in ipairs(tokens) do equal({ token:remove() }, { false }) end
  end)

  it("before, after and after surrounds what the method does, a call back included", function()
    local lines <const>, tokens <const> = {}, {}
    local function add(position, line)
      tokens[#tokens + 1] = aspects.hook(Network, "notify(_:)", position, function()
        lines[#lines + 1] = line
      end)
    end
    add("before", "before")
    add("after", "first after")
    add("after", "second after")
    Network():notify(function(number) lines[#lines + 1] = "call " .. number end)
    equal(lines, { "before", "call 1", "call 2", "first after", "second after" })
    for _, index in ipairs { 2, 1, 3 } do equal({ tokens[index]:remove() }, { true }) end
    for _, index in ipairs { 2, 1, 3 } do equal({ tokens[index]:remove() }, { false }) end
  end)

  it("leaves results as they are: structs, floats, large integers, optionals, nothing", function()
    local count, tokens = 0, {}
    for target, selector in next, {
      [Studio] = "cover(_:)", [Account] = "deposit(_:)", [Savings] = "nickname()",
      [Network] = "notify(_:)",
    } do
      tokens[#tokens + 1] = aspects.hook(target, selector, function() count = count + 1 end)
    end
    local cover <const> = Studio():cover("u")
    equal({ cover.url, cover.size.width, cover.size.height, cover.isFront }, { "u", 300.0, 200.0, true })
    equal(Account(1, "a"):deposit(math.maxinteger), math.maxinteger)
    equal(Savings(1, "a"):nickname(), nil)
    equal(Network():notify(function() end), nil)
    equal(count, 4)
    for _, token in ipairs(tokens) do token:remove() end
  end)

  it("instead may give another float than the original", function()
    local relay <const> = Relay()
    equal(relay:price(), 1.5)
    local after <const> = aspects.hook(relay, "price()", function() end)
    equal(relay:price(), 1.5)
    local instead <const> = aspects.hook(Relay, "price()", "instead", function() return 3.5 end)
    equal(relay:price(), 3.5)
    equal({ instead:remove(), after:remove(), relay:price() }, { true, true, 1.5 })
  end)

  it("instead of several is newest first", function()
    local tokens <const> = {}
    for index = 1, 3 do
      tokens[index] = aspects.hook(Account, "title()", "instead", function(info)
        return index .. info:invoke()
      end)
    end
    equal(Account(1, "a"):title(), "321a's account")
    tokens[2]:remove()
    equal(Account(1, "a"):title(), "31a's account")
    for _, token in ipairs(tokens) do token:remove() end
  end)

  it("instead passes on what the original throws, and waits with it", function()
    local throws <const> = aspects.hook(Account, "withdraw(_:)", "instead", function(info)
      return info:invoke()
    end)
    spec.raises("insufficient(3)", function() Account(1, "a"):withdraw(3) end)
    throws:remove()
    local waits <const> = aspects.hook(Network, "slow(_:)", "instead", function(info, milliseconds)
      return info:invoke(milliseconds // 2) + info:invoke(1)
    end)
    equal(Network():slow(10), 6)
    waits:remove()
  end)

  it("may remove itself while it runs", function()
    local account <const>, count, token = Account(1, "a"), 0, nil
    token = aspects.hook(Account, "title()", "instead", function(info)
      count = count + 1
      equal({ token:remove() }, { true })
      return info:invoke() .. "!"
    end)
    equal({ account:title(), account:title(), count }, { "a's account!", "a's account", 1 })
  end)

  it("that fails leaves the call alone", function()
    local tokens <const> = {}
    for index, position in ipairs { "before", "instead", "after" } do
      tokens[index] = aspects.hook(Account, "title()", position, function() error("fails") end)
    end
    equal(Account(1, "a"):title(), "a's account")
    for _, token in ipairs(tokens) do token:remove() end
  end)

  it("takes initializers, accessors and static methods", function()
    local numbers <const> = {}
    local made <const> = aspects.hook(Account, "init(number:owner:)", function(info, number)
      numbers[#numbers + 1] = { info.instance.number, number }
    end)
    Account(7, "a")
    made:remove()
    equal(numbers, { { 7, 7 } })
    local bank <const> = aspects.hook(Account, "static.bank()", { types = {}, result = "String" },
      function(info) info.result = info.result .. "!" end)
    equal({ Account.bank(), Savings.bank() }, { "Shop!", "Shop!" })
    bank:remove()
    equal(Account.bank(), "Shop")
  end)

  it("and an observer of the property both run, in a class and in one object", function()
    local account <const>, other <const>, count = Account(1, "a"), Account(2, "b"), 0
    local one <const> = aspects.hook(account, "balance.didSet", function() count = count + 1 end)
    local all <const> = aspects.hook(Account, "balance.didSet", function() count = count + 10 end)
    account:deposit(1)
    other:deposit(2)
    equal({ count, account.history, other.history }, { 21, { 1 }, { 2 } })
    one:remove()
    account:deposit(1)
    equal({ count, account.history }, { 31, { 1, 2 } })
    all:remove()
    account:deposit(1)
    equal({ count, account.history }, { 31, { 1, 2, 3 } })
  end)

  it("stays when another one of the same function is removed", function()
    local first, second = 0, 0
    local a <const> = aspects.hook(Account, "title()", function() first = first + 1 end)
    local b <const> = aspects.hook(Account, "title()", function() second = second + 1 end)
    a:remove()
    Account(1, "a"):title()
    equal({ first, second }, { 0, 1 })
    b:remove()
  end)

  it("is removed by itself after one call", function()
    local count = 0
    local token <const> = aspects.hook(Account, "title()", { automatic_removal = true }, function()
      count = count + 1
    end)
    local account <const> = Account(1, "a")
    account:title()
    account:title()
    equal({ count, token:remove() }, { 1, false })
  end)

  it("is removed by itself after one call of an object of its class, where the class inherits", function()
    for _, position in ipairs { "before", "instead", "after" } do
      local count = 0
      local token <const> = aspects.hook(Savings, "deposit(_:)",
        { position = position, automatic_removal = true }, function(info)
          count = count + 1
          return position == "instead" and info:invoke() or nil
        end)
      equal({ Account(1, "a"):deposit(1), count }, { 1, 0 })
      local savings <const> = Savings(1, "a")
      equal({ savings:deposit(1), savings:deposit(1), count }, { 1, 2, 1 })
      equal({ token:remove() }, { false })
    end
  end)

  it("of a method that a class above declares runs for its own objects only", function()
    local count = 0
    local token <const> = aspects.hook(Savings, "deposit(_:)", function() count = count + 1 end)
    Account(1, "a"):deposit(1)
    equal(count, 0)
    Savings(1, "a"):deposit(1)
    Premium(1, "a"):deposit(1)
    equal(count, 2)
    token:remove()
  end)

  it("does not stand in the way of hooks in classes above, below and beside", function()
    local lines <const> = {}
    local below <const> = aspects.hook(Savings, "title()", function() lines[#lines + 1] = "savings" end)
    local over <const> = aspects.hook(Account, "title()", function() lines[#lines + 1] = "account" end)
    Savings(1, "a"):title()
    Account(1, "a"):title()
    equal(lines, { "savings", "account" })
    below:remove()
    over:remove()
  end)
end)

describe("a hook of one object", function()
  it("instead is beside those of other objects and of the class", function()
    local function say(text) return function(info) return text .. "(" .. info:invoke() .. ")" end end
    local a <const>, b <const>, c <const> = Account(1, "a"), Account(2, "b"), Account(3, "c")
    local first <const> = aspects.hook(a, "title()", "instead", say "first")
    local second <const> = aspects.hook(b, "title()", "instead", say "second")
    local all <const> = aspects.hook(Account, "title()", "instead", function() return "all" end)
    equal({ a:title(), b:title(), c:title() }, { "all", "all", "all" })
    equal({ all:remove() }, { true })
    equal({ a:title(), b:title(), c:title() },
      { "first(a's account)", "second(b's account)", "c's account" })
    equal({ first:remove() }, { true })
    equal({ first:remove() }, { false })
    equal({ a:title(), b:title() }, { "a's account", "second(b's account)" })
    equal({ second:remove() }, { true })
  end)

  it("runs when another object's method calls back", function()
    local account <const>, count = Account(1, "a"), 0
    local token <const> = aspects.hook(account, "title()", function() count = count + 1 end)
    Network():notify(function() account:title() end)
    equal(count, 2)
    token:remove()
  end)

  it("is removed by itself after one call", function()
    local account <const>, count = Savings(1, "a"), 0
    local token <const> = aspects.hook(account, "deposit(_:)", { automatic_removal = true }, function()
      count = count + 1
    end)
    Savings(2, "b"):deposit(1)
    equal({ account:deposit(1), account:deposit(1), count }, { 1, 2, 1 })
    equal({ token:remove() }, { false })
  end)

  it("does not keep the object, and its token says that it is gone", function()
    local token, reference
    do
      local account <const> = Account(1, "a")
      token, reference = aspects.hook(account, "title()", function() end), weak(account)
    end
    objects() -- collects
    equal(reference.object, nil)
    equal({ token:remove() }, { false, "the object is gone" })
  end)

  it("runs for that one only, whose type stays", function()
    local a <const>, b <const>, count = Account(1, "a"), Account(2, "b"), 0
    local token <const> = aspects.hook(a, "deposit(_:)", function() count = count + 1 end)
    a:deposit(1)
    b:deposit(1)
    equal(count, 1)
    equal(typeof(a).name, "Shop.Account")
    equal({ token:remove() }, { true })
    a:deposit(1)
    equal({ count, (token:remove()) }, { 1, false })
  end)

  it("of a class below its method's works too", function()
    local a <const>, count = Premium(1, "a"), 0
    local token <const> = aspects.hook(a, "title()", "instead", function(info)
      count = count + 1
      return "<" .. info:invoke() .. ">"
    end)
    equal({ a:title(), Premium(1, "b"):title(), count }, { "<savings of a>", "savings of b", 1 })
    token:remove()
  end)
end)

describe("deinit", function()
  it("can be hooked before, in a class or one object, once for each end", function()
    local ended <const> = {}
    local token <const> = aspects.hook(Cell, "deinit", "before", function(info)
      ended[#ended + 1] = { "class", info.instance.label, info.arguments.n }
    end)
    local own
    do
      local cell <const> = Cell("one")
      own = aspects.hook(cell, "deinit", "before", function(info)
        ended[#ended + 1] = { "object", info.instance.label, info.arguments.n }
      end)
    end
    objects() -- collects
    equal(ended, { { "class", "one", 0 }, { "object", "one", 0 } })
    equal({ own:remove() }, { false, "the object is gone" })
    equal({ token:remove() }, { true })
    equal({ token:remove() }, { false })
    do local _ <const> = Cell("two") end
    objects()
    equal(#ended, 2)
  end)

  it("runs the hooks that are left when one is removed or fails", function()
    local ended <const> = {}
    do
      local cell <const> = Cell("one")
      local function add(name)
        return aspects.hook(cell, "deinit", "before", function() ended[#ended + 1] = name end)
      end
      local first <const> = add("first")
      aspects.hook(cell, "deinit", "before", function() error("fails") end)
      add("second")
      equal({ first:remove() }, { true })
      equal({ first:remove() }, { false })
    end
    objects()
    equal(ended, { "second" })
  end)

  it("is removed by itself after one end", function()
    local count = 0
    local token <const> = aspects.hook(Cell, "deinit",
      { position = "before", automatic_removal = true }, function() count = count + 1 end)
    do local _ <const>, _ <const> = Cell("one"), Cell("two") end
    objects()
    equal({ count, token:remove() }, { 1, false })
  end)

  it("of a class below a prepared one is hooked for its objects only", function()
    local ended <const>, tokens <const> = {}, {}
    for name, target in next, { track = Track, live = LiveTrack } do
      tokens[#tokens + 1] = aspects.hook(target, "deinit", "before", function(info)
        ended[#ended + 1] = name .. " " .. info.instance.title
      end)
    end
    do
      local track <const>, live <const> = Track(), LiveTrack()
      track.title, live.title = "a", "b"
      tokens[#tokens + 1] = aspects.hook(live, "deinit", "before", function(info)
        ended[#ended + 1] = "own " .. info.instance.title
      end)
    end
    objects()
    table.sort(ended)
    equal(ended, { "live b", "own b", "track a", "track b" })
    for _, token in ipairs(tokens) do token:remove() end
  end)

  it("cannot be replaced", function()
    equal(code(Cell, "deinit", "instead", print), "dealloc_position")
    equal(code(Cell, "deinit", "after", print), "dealloc_position")
  end)

  it("is prepared in the topmost class of those that are hooked", function()
    spec.truthy(string.find(tostring(too_late), "prepare the topmost alone", 1, true), tostring(too_late))
    do local _ <const> = Account(1, "a") end
    objects()
  end)

  it("has to be prepared while the patch loads", function()
    equal(code(Account, "deinit", "before", print), "not_prepared")
    spec.raises("cannot be prepared: deinitializers are added while the patch loads",
      aspects.prepare_deinit, Account)
    spec.raises("prepare_deinit takes a class", aspects.prepare_deinit, "Shop.Cell")
    spec.raises("prepare_deinit takes a class", aspects.prepare_deinit, class "Shop.Size")
  end)
end)

describe("a refusal has a code", function()
  it("for what cannot be hooked", function()
    equal(code(Account, "retain", print), "selector_blacklisted")
    equal(code(Account, "forwardInvocation:", print), "selector_blacklisted")
    equal(code(Account, "nothing(_:)", print), "does_not_respond")
    equal(code(Account(1, "a"), "nothing(_:)", print), "does_not_respond")
    equal(code(Account, "nothing.get", print), "does_not_respond")
    equal(code(Account, "static.nothing()", print), "does_not_respond")
    equal(code(Account, "title()", "before"), "missing_block")
    equal(code(Account, "title()", "before", 5), "missing_block")
    equal(code(Account, "balance", print), "cannot_be_hooked")
    equal(code(Account, "owner.get", print), "cannot_be_hooked")
    equal(code(Savings, "static.bank()", print), "cannot_be_hooked")
  end)

  it("and says what to write instead", function()
    spec.raises('`Shop.Account.balance` is hooked as "balance.didSet"', aspects.hook, Account, "balance", print)
    spec.raises('are in the selector, like "balance.didSet" and "static.bank()"', aspects.hook, Account.static,
      "bank()", print)
    spec.raises("hook takes a class or an object, not `Shop`", aspects.hook, module "Shop", "x()", print)
    spec.raises("the options of hook are a table or a position, not a number", aspects.hook, Account, "title()", 5,
      print)
  end)

  it("for a block of another signature, where it says what it expects", function()
    equal(code(Account, "deposit(_:)", { types = { "String" } }, print), "incompatible_signature")
    equal(code(Account, "deposit(_:)", { types = {} }, print), "incompatible_signature")
    equal(code(Account, "deposit(_:)", { types = { "Int" }, result = "String" }, print), "incompatible_signature")
    equal(code(Account, "deposit", { types = { "String" } }, print), "incompatible_signature")
    equal(code(Account, "balance.didSet", { types = { "Int" } }, print), "incompatible_signature")
    equal(code(Account, "static.bank()", { types = { "Int" } }, print), "incompatible_signature")
    equal(code(Account, "deposit(_:)", { types = { "Int" }, result = "Int" }, print), "none")
    equal(code(Account, "deposit", { types = { "Int" } }, print), "none")
    equal(code(Savings, "deposit(_:)", { result = "Int" }, print), "none")
    equal(code(Network, "notify(_:)", { types = { "(Int) -> ()" }, result = "()" }, print), "none")
    equal(code(Network, "load(_:)", { types = { "String" }, result = "String" }, print), "none")
    equal(code(class "Shop.Odd", "place(_:at:)", { types = { "String", "Int" } }, print), "none")
  end)

  it("for a second hook in the hierarchy, where only one is wanted", function()
    local token <const> = aspects.hook(Account, "title()", function() end)
    equal(code(Savings, "title()", { exclusive = true }, print), "already_hooked_in_hierarchy")
    local count = 0
    local beside <const> = aspects.hook(Relay, "title()", { exclusive = true }, function() count = count + 1 end)
    Savings(1, "a"):title()
    equal(count, 0)
    Relay():title()
    equal({ count, beside:remove(), token:remove() }, { 1, true, true })
    local below <const> = aspects.hook(Premium, "title()", { exclusive = true }, function() end)
    equal(code(Account, "title()", { exclusive = true }, print), "already_hooked_in_hierarchy")
    below:remove()
    equal(code(Account, "title()", { exclusive = true }, print), "none")
    local once <const> = aspects.hook(Premium, "title()", { automatic_removal = true }, function() end)
    equal(code(Account, "title()", { exclusive = true }, print), "already_hooked_in_hierarchy")
    Premium(1, "a"):title()
    equal({ code(Account, "title()", { exclusive = true }, print), once:remove() }, { "none", false })
  end)

  it("and a text", function()
    local _, problem <const> = pcall(aspects.hook, Account, "retain", print)
    equal(tostring(problem), "retain cannot be hooked")
    spec.raises("there is no position 'around': before, after or instead", aspects.hook, Account, "title()", "around",
      print)
    spec.raises("hook takes a class or an object, not a number", aspects.hook, 5, "title()", print)
  end)
end)

describe("advice by selector", function()
  it("is added in the class that declares the method, and knows for which class it is", function()
    local wanted, count = nil, 0
    local token <const>, problem <const> = aspects.advise("Shop.SavingsAccount", "deposit(_:)", "before",
      function(target)
        wanted = target
        return function() count = count + 1 end, { once = true }
      end)
    equal({ problem, wanted == Savings }, { nil, true })
    local account <const> = Account(1, "a")
    account:deposit(1)
    account:deposit(1)
    equal({ count, (token:remove()) }, { 1, false })
  end)

  it("says why it cannot be added", function()
    local function make() return print end
    local token <const>, problem <const> = aspects.advise("Shop.Account", "nothing()", "after", make)
    equal(token, nil)
    spec.truthy(string.find(tostring(problem), "has no function `nothing()`", 1, true), tostring(problem))
    local _, unknown <const> = aspects.advise("Shop.Nobody", "run()", "after", make)
    spec.truthy(string.find(tostring(unknown), "Nobody", 1, true), tostring(unknown))
    spec.raises("there is no position 'around'", aspects.advise, "Shop.Account", "title()", "around", make)
  end)
end)

it("tells objects of classes apart", function()
  equal({ is(Premium(1, "a"), Account), is(Account(1, "a"), Savings), is(5, Account) }, { true, false, false })
  equal(is(Savings(1, "a"), "Shop.Account"), true)
end)
