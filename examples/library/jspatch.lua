-- SPDX-License-Identifier: MIT
--
-- A JSPatch script in Lua: an account that cannot be overdrawn, and a note of each attempt.

patch { version = 1 }

local jspatch <const> = require "jspatch"

jspatch.defineClass("Shop.Account", { "attempts" }, {
  withdraw_ = function(self, amount)
    if amount <= self.balance then return self:ORIGwithdraw(amount) end
    jspatch.setProp(self, (jspatch.getProp(self, "attempts") or 0) + 1, "attempts")
    jspatch.dispatch_after(0.1, function() log.info("an attempt", { amount = amount }) end)
    return self.balance
  end,
})
