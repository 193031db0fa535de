-- SPDX-License-Identifier: MIT
--
-- Cases of Wax's classTest.lua, superclassTest.lua, instanceTest.lua, protocolTest.lua and gcTest.lua.
-- translated-suites.md says which case is where.

local spec <const> = require "spec"
local wax <const> = require "wax"
local describe <const>, it <const>, equal <const> = spec.describe, spec.it, spec.equal
local Cell <const>, Compiled <const> = class "Shop.Cell", class "Shop.Compiled"
local CityTable <const> = class "Shop.CityTable"

for name, superclass in next, { Extended = "a class of the program", UberExtended = "a class of the patch" } do
  describe("an object of a class with " .. superclass .. " as superclass", function()
    it("is made by its own initializer, which calls the one above", function()
      equal(class(name)("elephant").label, name == "Extended" and "elephant" or "uber elephant")
    end)

    it("has overrides that Swift calls, and methods that it inherits", function()
      equal(Compiled():inherited(class(name .. "Root")()), { "NOT THE ORIGINAL", "root 2" })
    end)

    it("has methods of its own, with and without arguments", function()
      local object <const> = class(name)("x")
      equal({ object:stringForTesting(), object:stringForTestingWithArg("we all!") },
        { "Look at me!", "So say we all!" })
    end)

    it("keeps its own fields, and calls methods above with them", function()
      local object <const> = class(name)("x")
      object.age = 10
      equal({ object:doubleAge(), object:tripleAge() }, { 20, 30 })
    end)

    it("has the class methods of the classes above", function()
      equal(class(name).static.helloMommy(), "Hi Corey!")
    end)
  end)
end

describe("an object of the program", function()
  it("exists, knows its class, and answers with and without arguments", function()
    local account <const> = (class "Shop.Account")(1, "Ada")
    equal({ account ~= nil, is(account, "Shop.Account"), typeof(account).name }, { true, true, "Shop.Account" })
    equal({ account:title(), account:deposit(5) }, { "Ada's account", 5 })
  end)

  it("gives strings and numbers as Lua's own", function()
    local account <const> = (class "Shop.Account")(7, "hello")
    equal({ account.owner, account.number }, { "hello", 7 })
  end)

  it("is released when nobody has it any more", function()
    local reference
    do
      local cell <const> = Cell("gone")
      reference = weak(cell)
      equal(reference.object.label, "gone")
    end
    objects() -- collects
    equal(reference.object, nil)
  end)
end)

describe("a delegate", function()
  it("answers what its protocol requires, with and without arguments", function()
    local downloader <const>, delegate <const> = (class "Shop.Downloader")(), class("Delegate")()
    downloader.delegate = delegate
    equal(downloader:run(), 2)
    equal({ delegate.started, delegate.bytes }, { true, 7 })
  end)
end)

it("structs have their values by name", function()
  local Size <const>, size <const> = class "Shop.Size", (class "Shop.Size")(10, 20.5)
  equal({ size.width, size.height, unpack(size) }, { 10.0, 20.5, 10.0, 20.5 })
  spec.raises("", Size, 1)
  spec.raises("", Size, 1, 2, 3)
end)

it("relabels the cells of a table, and gives them a detail", function()
  local view <const> = (class "Shop.TableView")()
  local cities <const> = CityTable()
  view.source = cities
  equal(view:render(), { "10", "9", "8" })
  equal(cities:cell(0, 0).detail, "http://example.com")
end)

-- The classes. What follows `waxClass` is the classes' own, so it comes last.

local function own_methods(target)
  function target.stringForTesting(_) return "Look at me!" end
  function target.stringForTestingWithArg(_, text) return "So say " .. text end
  function target:doubleAge() return self.age * 2 end
  function target:tripleAge() return self.age * 3 end
  function target.static.helloMommy() return "Hi Corey!" end
end

own_methods(class("Extended", "Shop.Cell"))

wax.globals()

waxClass { "ExtendedRoot", "Shop.Root" }
function first(_) return "NOT THE ORIGINAL" end

waxClass { "UberExtendedRoot", "ExtendedRoot" }
function third(_) return "own" end

waxClass { "UberExtended", "Extended" }
function init(self, animal) self.super:init("uber " .. animal) end

waxClass { "Delegate", nil, protocols = { "Shop.DownloaderDelegate" } }
function downloaderDidStart(self, _) self.started = true end
function downloader_didReceive(self, _, bytes) self.bytes = (self.bytes or 0) + bytes end
function downloader_shouldRetry(_, _, attempt) return attempt < 2 end

waxClass { "Shop.CityTable" }
function cell_forRow_in(self, row, section)
  local cell = self:ORIGcell(row, section)
  cell.label = "" .. (10 - row)
  cell.detail = "http://example.com"
  return cell
end
