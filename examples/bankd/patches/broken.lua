-- SPDX-License-Identifier: MIT
--
-- A patch with a mistake, to show that a mistake harms nothing but the patch.
--
-- It is meant to refuse withdrawals over a limit per owner, but the table of limits does not exist.
-- Each call fails in the innermost function, and the program continues as if the patch did not
-- exist. `waxwing list` shows the error with file, line and traceback.

patch {
  name = "broken",
  version = 1,
  program = "bankd",
}

local Account = class "bankd.Account"

local settings = {}

local function limitFor(account)
  -- The mistake: `settings.limits` is nil, so this indexes a nil value.
  return settings.limits[account.owner]
end

local function isWithinLimit(account, amount)
  local limit = limitFor(account)
  return limit == nil or amount <= limit
end

-- Fails before it calls the original. Waxwing then calls the original with the same arguments.
function Account:withdraw(amount, memo)
  if not isWithinLimit(self, amount) then
    return false
  end
  return self:ORIGwithdraw(amount, memo)
end

-- Fails after the original has run. The result of the original stands, and Waxwing does not call it
-- again, or the money would be paid in twice.
function Account:deposit(amount, memo)
  local balance = self:ORIGdeposit(amount, memo)
  if not isWithinLimit(self, balance) then
    error("the account holds more than it may")
  end
  return balance
end
