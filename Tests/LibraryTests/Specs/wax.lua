-- SPDX-License-Identifier: MIT
--
-- translated-suites.md says which case of Wax's own tests is where, and has WaxPatch's sample.

local spec <const> = require "spec"
local wax <const> = require "wax"
local it <const>, equal <const> = spec.it, spec.equal
local table_view <const>, city_table <const> = class "Shop.TableView", class "Shop.CityTable"

it("says selectors as Wax does", function()
  for name, selector in next, {
    title = "title", deposit_ = "deposit(_:)", cell_forRow_in = "cell(forRow:in:)", UNDERxLINEhidden = "_hidden",
    UNDERxLINEhidden_ = "_hidden(_:)", moneyDOLLARxMARK_ = "money$(_:)", ORIGcell_forRow_in = "ORIGcell(forRow:in:)",
    ["a(b:)"] = "a(b:)",
  } do
    equal({ name, wax.selector(name) }, { name, selector })
  end
  local odd <const> = class "Shop.Odd"
  equal(wax.selector("snake_case", odd), "snake_case")
  equal(wax.selector("place_at", odd), "place(_:at:)")
  spec.raises("selector takes a name, not a nil", wax.selector)
end)

it("overrides with such names", function()
  equal((class "Shop.Odd")():all(), "11 22 adder x@3!")
end)

it("relabels the cells of a table, as WaxPatch's sample", function()
  local cities <const>, view <const> = city_table(), table_view()
  local names <const> = {}
  for index = 1, 10 do names[index] = tostring(index) end
  cities.cities = names
  view.source = cities
  equal(view:render(), { "10", "9", "8", "7", "6", "5", "4", "3", "2", "1" })
end)

it("makes classes in Lua, with super", function()
  local bambi <const>, second <const> = class("Bambi")("Beef"), class("Bambi")("Grass")
  equal({ bambi.food, bambi:deerFood(), second.food, second:deerFood() },
    { "BambiBeef", "DeerBambiBeef", "BambiGrass", "DeerBambiGrass" })
  equal({ bambi:getInfo(), bambi:twice(function(value) return value * 5 end, 10) }, { "DeerClass:BambiClass", 50 })
end)

it("makes classes that conform to protocols", function()
  local view <const> = table_view()
  view.source = class("Rows")()
  equal(view:render(), { "row 0", "row 1" })
end)

it("gives classes by name", function()
  equal(tostring(wax.class["Shop.Account"]), "Shop.Account")
  equal(wax.class.CityTable == city_table, true)
  equal(wax.call((class "Shop.Odd")(), "place_at", "y", 4), "y@4!")
end)

it("refuses what names no class", function()
  spec.raises("waxClass takes a table with a class's name", wax.waxClass, "x")
  spec.raises("waxInlineClass takes a table with a class's name", wax.waxInlineClass, {})
end)

-- The classes. What follows `waxClass` is the classes' own, so it comes last.

local inline <const> = wax.waxInlineClass { "Shop.Odd" }
function inline:place_at(what, index) return self:ORIGplace(what, index) .. "!" end

wax.globals()

waxClass { "Deer", "Shop.Cell" }
function init(self, food)
  self.food = food
  self.super:init(food)
end
function deerFood(self) return "Deer" .. self.food end
function getInfo(_) return "DeerClass" end

waxClass { "Bambi", "Deer" }
function init(self, food) self.super:init("Bambi" .. food) end
function getInfo(self) return self.super:getInfo() .. ":BambiClass" end
function twice(_, f, age) return f(age) end

waxClass { "Rows", nil, protocols = { "Shop.TableSource" } }
function rowCount_in(_, _) return 2 end
-- Swift gets the fallback if the function fails.
cell_forRow_in = fallback(function(_, row, _) return class("Shop.Cell")("row " .. row) end, class("Shop.Cell")("?"))

waxClass { "Shop.Odd" }
function UNDERxLINEhidden_(self, number) return self:ORIG_hidden(number) + 10 end
function moneyDOLLARxMARK_(self, number) return wax.call(self, "ORIGmoneyDOLLARxMARK_", number) + 20 end
function snake_case(_) return "adder" end

waxClass { "Shop.CityTable" }
function cell_forRow_in(self, row, section)
  local cell = self:ORIGcell(row, section)
  cell.label = tostring(10 - row)
  return cell
end
