-- SPDX-License-Identifier: MIT
--
-- The cases are those of AspectsDemoTests.m, over the classes of the program. Left out, as they mean
-- nothing here: type encodings of blocks (Lua functions have no types; the option `types` takes their
-- place), KVO's classes (there are none; observers of properties are `didSet`), metaclasses, and methods
-- that UIKit classes inherit from several swizzled classes.

local spec <const> = require "spec"
local aspects <const> = require "aspects"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal

local Account <const>, Savings <const> = class "Shop.Account", class "Shop.SavingsAccount"
local Premium <const>, Cell <const> = class "Shop.PremiumAccount", class "Shop.Cell"

local ended <const> = {}
aspects.prepare_deinit(Cell)

local function code(...)
  local works <const>, problem <const> = pcall(aspects.hook, ...)
  return works and "none" or type(problem) == "table" and problem.code or tostring(problem)
end

describe("a hook of a class", function()
  it("runs for all objects, and after its removal for none", function()
    local a <const>, b <const>, seen <const> = Account(1, "a"), Account(2, "b"), {}
    local token <const> = aspects.hook(Account, "deposit(_:)", function(info, amount)
      seen[#seen + 1] = { info.instance.number, amount, info.arguments[1], info.arguments.n, info.result }
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
    local token <const> = aspects.hook(Cell, "deinit", "before", function(info)
      ended[#ended + 1] = "class " .. info.instance.label
    end)
    do
      local cell <const> = Cell("one")
      aspects.hook(cell, "deinit", "before", function(info) ended[#ended + 1] = info.instance.label end)
    end
    equal({ token:remove() }, { true })
    equal({ token:remove() }, { false })
  end)

  it("cannot be replaced", function()
    equal(code(Cell, "deinit", "instead", print), "dealloc_position")
    equal(code(Cell, "deinit", "after", print), "dealloc_position")
  end)

  it("has to be prepared while the patch loads", function()
    equal(code(Account, "deinit", "before", print), "not_prepared")
  end)
end)

describe("a refusal has a code", function()
  it("for what cannot be hooked", function()
    equal(code(Account, "retain", print), "selector_blacklisted")
    equal(code(Account, "forwardInvocation:", print), "selector_blacklisted")
    equal(code(Account, "nothing(_:)", print), "does_not_respond")
    equal(code(Account(1, "a"), "nothing(_:)", print), "does_not_respond")
    equal(code(Account, "title()", "before"), "missing_block")
    equal(code(Account, "balance", print), "cannot_be_hooked")
  end)

  it("for a block of another signature, where it says what it expects", function()
    equal(code(Account, "deposit(_:)", { types = { "String" } }, print), "incompatible_signature")
    equal(code(Account, "deposit(_:)", { types = {} }, print), "incompatible_signature")
    equal(code(Account, "deposit(_:)", { types = { "Int" }, result = "String" }, print), "incompatible_signature")
    local token <const> = aspects.hook(Account, "deposit(_:)", { types = { "Int" }, result = "Int" }, function() end)
    token:remove()
  end)

  it("for a second hook in the hierarchy, where only one is wanted", function()
    local token <const> = aspects.hook(Account, "title()", function() end)
    equal(code(Savings, "title()", { exclusive = true }, print), "already_hooked_in_hierarchy")
    token:remove()
    local below <const> = aspects.hook(Premium, "title()", { exclusive = true }, function() end)
    equal(code(Account, "title()", { exclusive = true }, print), "already_hooked_in_hierarchy")
    below:remove()
    aspects.hook(Account, "title()", { exclusive = true }, function() end):remove()
  end)

  it("and a text", function()
    local _, problem <const> = pcall(aspects.hook, Account, "retain", print)
    equal(tostring(problem), "retain cannot be hooked")
    spec.raises("there is no position 'around': before, after or instead", aspects.hook, Account, "title()", "around",
      print)
    spec.raises("hook takes a class or an object, not a number", aspects.hook, 5, "title()", print)
  end)
end)

it("tells objects of classes apart", function()
  equal({ is(Premium(1, "a"), Account), is(Account(1, "a"), Savings), is(5, Account) }, { true, false, false })
  equal(is(Savings(1, "a"), "Shop.Account"), true)
end)
