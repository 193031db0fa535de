-- SPDX-License-Identifier: MIT
--
-- Asks and changes a live patch from outside: `waxwing call limit 500`, `waxwing call refused`.

patch { version = 1 }

local bridge <const> = require "bridge"
local Account <const> = class "Shop.Account"

local limit = 1000
local refused <const> = {}

function Account:deposit(amount)
  if amount <= limit then return self:ORIGdeposit(amount) end
  refused[#refused + 1] = { owner = self.owner, amount = amount }
  return self.balance
end

bridge.handle("limit", function(message)
  if math.type(message) ~= "integer" then return nil, "the limit is an integer" end
  limit = message
  return { limit = limit }
end)

bridge.handle("refused", function() return refused end)
