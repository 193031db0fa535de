-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local mediator <const> = require "mediator"
local it <const>, equal <const> = spec.it, spec.equal

local Account <const> = class "Shop.Account"

local function fresh()
  for _, name in ipairs { "Greeter", "Account", "Lazy" } do mediator.remove(name) end
  mediator.absent = "error"
  mediator.register("Greeter", {
    greet = function(parameters) return "Hello, " .. tostring(parameters.name), 2 end,
    secret = function() return "a secret" end,
  }, { native = { "secret" } })
end

it("calls functions of tables by name", function()
  fresh()
  equal({ mediator.perform("Greeter", "greet", { name = "Ada" }) }, { "Hello, Ada", 2 })
  equal(mediator.perform("Greeter", "greet"), "Hello, nil")
  equal({ mediator.can_perform("Greeter", "greet"), mediator.can_perform("Greeter", "x") }, { true, false })
  equal(mediator.can_perform("X", "greet"), false)
end)

it("calls methods of Swift objects", function()
  fresh()
  mediator.register("Account", Account(1, "a"))
  equal(mediator.perform("Account", "deposit", { 5 }), 5)
  equal(mediator.perform("Account", "deposit(_:)", { 5 }), 10)
  equal(mediator.perform("Account", "title"), "a's account")
  equal(mediator.remove("Account"), true)
  equal(mediator.remove("Account"), false)
end)

it("makes an object when it is needed", function()
  fresh()
  local made = 0
  mediator.register("Lazy", Account, { make = function()
    made = made + 1
    return Account(7, "lazy")
  end })
  equal(made, 0)
  equal({ mediator.perform("Lazy", "title"), mediator.perform("Lazy", "title"), made },
    { "lazy's account", "lazy's account", 1 })
  mediator.remove("Lazy")
end)

it("does with absent ones what its policy says", function()
  fresh()
  spec.raises("there is no target 'Nobody'", mediator.perform, "Nobody", "x")
  spec.raises("the target 'Greeter' has no action 'x'", mediator.perform, "Greeter", "x")
  mediator.absent = "nil"
  equal(mediator.perform("Nobody", "x"), nil)
  mediator.absent = function(name, action, parameters) return name .. "." .. action .. parameters.a end
  equal(mediator.perform("Nobody", "x", { a = 1 }), "Nobody.x1")
end)

it("is reached by URLs, but for native actions", function()
  fresh()
  local result
  equal(mediator.open("app://Greeter/greet?name=Ada+L", function(value) result = value end), true)
  equal(result, "Hello, Ada L")
  for _, url in ipairs { "app://Greeter/secret", "app://Greeter", "app://Nobody/greet", "app://Greeter/greet/more" } do
    equal(mediator.open(url), false)
  end
end)

it("refuses what is no target", function()
  spec.raises("register takes a name and a table of functions", mediator.register, "x", 5)
end)
