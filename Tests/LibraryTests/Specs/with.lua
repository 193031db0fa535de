-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local with <const> = require "with"
local it <const>, equal <const> = spec.it, spec.equal

local Cover <const>, Size <const> = class "Shop.Cover", class "Shop.Size"

local function cover() return Cover("a.png", Size(1.0, 2.0), true) end

it("changes a copy, `let` properties too", function()
  local old <const> = cover()
  local new <const> = with(old, { url = "b.png", isFront = false })
  equal({ new.url, new.isFront, new.size == old.size }, { "b.png", false, true })
  equal({ old.url, old.isFront }, { "a.png", true })
  equal(typeof(new).name, "Shop.Cover")
end)

it("changes what is inside of a property", function()
  local new <const> = with(cover(), { ["size.width"] = 9.0, url = "c" })
  equal({ new.size.width, new.size.height, new.url }, { 9.0, 2.0, "c" })
end)

it("changes nothing without changes", function()
  equal(with(cover(), {}) == cover(), true)
end)

it("refuses what the struct does not have, and says what it has", function()
  spec.raises("Shop.Cover has no stored property 'link'; it has url, size, isFront", with, cover(), { link = 1 })
  spec.raises("Shop.Size has no stored property 'depth'; it has width, height", with, cover(), { ["size.depth"] = 1 })
  spec.raises("expected", with, cover(), { url = 7 })
  spec.raises("expected", with, cover(), { url = null })
  spec.raises("'size' is changed both as a whole and inside", with, cover(),
    { size = Size(1.0, 1.0), ["size.width"] = 1.0 })
  spec.raises("the changes have names of properties, not a number", with, cover(), { 1 })
end)

it("is for structs", function()
  spec.raises("Shop.Account is a class: set the properties of the object itself", with,
    (class "Shop.Account")(1, "a"), {})
  spec.raises("Shop.Genre is an enum: make the case anew", with, (class "Shop.Genre").jazz, {})
  spec.raises("with takes a struct, not a table", with, {}, {})
  spec.raises("with takes a struct, not a nil", with, nil, {})
  spec.raises("with takes a struct and a table of changes, not a nil", with, cover())
end)
