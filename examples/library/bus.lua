-- SPDX-License-Identifier: MIT
--
-- What happens to accounts becomes events, which two parts of the patch hear of.

patch { version = 1 }

local bus <const> = require "bus"
local Account <const> = class "Shop.Account"

Account:after("deposit(_:)", function(self, balance) bus.post("balance", self.number, balance) end)
Account:after("withdraw(_:)", function(self, balance) bus.post("balance", self.number, balance) end)

local greatest = 0
bus.on("balance", function(_, balance) greatest = math.max(greatest, balance) end)
bus.on("balance", function(number, balance)
  if balance > 0 then return end
  log.warn("an account is empty", { account = number, greatest = greatest })
end)
