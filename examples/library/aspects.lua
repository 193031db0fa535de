-- SPDX-License-Identifier: MIT
--
-- Watches the first withdrawal of each account that is deposited to.

patch { version = 1 }

local aspects <const> = require "aspects"
local Account <const> = class "Shop.Account"

aspects.hook(Account, "deposit(_:)", "before", function(info)
  aspects.hook(info.instance, "withdraw(_:)", { automatic_removal = true }, function(inner, amount)
    log.info("first withdrawal", { account = inner.instance.number, amount = amount })
  end)
end)
