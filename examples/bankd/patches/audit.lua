-- SPDX-License-Identifier: MIT
--
-- Counts withdrawals, and those that are refused. Changes nothing.
--
-- This is advice, not an override. It runs around whatever other patches do to the same function,
-- so it sees what the caller asked for and what the caller got.

patch {
  name = "audit",
  version = 1,
  program = "bankd",
}

local Account = class "bankd.Account"

local asked, refused = 0, 0

Account:before("withdraw(_:memo:)", function() asked = asked + 1 end)

Account:after("withdraw(_:memo:)", function(self, paid, amount)
  if not paid then
    refused = refused + 1
    log.info("refused", { account = self.id, amount = amount })
  end
end)

-- The first withdrawal is logged separately.
Account:before("withdraw(_:memo:)", function(self, amount)
  log.info("first withdrawal since the audit began", { account = self.id, amount = amount })
end, { once = true })

on("ended", function() log.info("audit over", { asked = asked, refused = refused }) end)
