-- SPDX-License-Identifier: MIT
--
-- An album arrives as JSON, with keys of another service.

patch { version = 1 }

local model <const> = require "model"
local Album <const> = class "Shop.Album"

model.describe(Album, {
  keys = { title = "collectionName", id = "collectionId" }, only = { "title", "id" },
})

function Album:summary()
  local ours <const> = model.from_json(Album, '{"collectionId": 7, "collectionName": "Blue"}')
  return ours.title .. " rather than " .. self:ORIGsummary()
end
