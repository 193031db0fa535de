-- SPDX-License-Identifier: MIT
--
-- Limits the total that can be withdrawn from one account until the next statement.
--
-- bankd has a limit per withdrawal only. Twenty withdrawals of that size go through.

patch {
  name = "limit",
  version = 1,
  program = "bankd",
}

local most <const> = 25000                 -- 250.00

local Account = class "bankd.Account"

-- A field that exists in Lua only: one number for each account, as long as the account lives.
Account:field("withdrawn", 0)

function Account:withdraw(amount, memo)
  if self.withdrawn + amount > most then
    log.warn("limit reached", { account = self.id, withdrawn = self.withdrawn, amount = amount })
    return false
  end
  local paid = self:ORIGwithdraw(amount, memo)
  if paid then self.withdrawn = self.withdrawn + amount end
  return paid
end

-- A statement begins a new period. `after` leaves the statement as it is.
Account:after("statement(limit:)", function(self) self.withdrawn = 0 end)
