-- SPDX-License-Identifier: MIT
--
-- Titles come from a target that another part of the patch may replace.

patch { version = 1 }

local mediator <const> = require "mediator"
local Account <const> = class "Shop.Account"

mediator.absent = function() return nil end
mediator.register("Titles", { title = function(account) return "Account of " .. account.owner end })

function Account:title()
  return mediator.perform("Titles", "title", { owner = self.owner }) or self:ORIGtitle()
end
