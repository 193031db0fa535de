-- SPDX-License-Identifier: MIT
--
-- A patch with a mistake, to show what a mistake costs: nothing but the patch.
--
-- It wants to refuse withdrawals over a limit per owner, and the table of limits is not there.
-- Each call fails in the function furthest down, and the program goes on as if the patch did not
-- exist; `waxwing list` shows the error, with the file, the line and the calls that led there.

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

-- Fails before it calls the original: the original is called for it, with the same arguments.
function Account:withdraw(amount, memo)
  if not isWithinLimit(self, amount) then
    return false
  end
  return self:ORIGwithdraw(amount, memo)
end

-- Fails after the original has run: its result stands. It is not called again, or the money would
-- be paid in twice.
function Account:deposit(amount, memo)
  local balance = self:ORIGdeposit(amount, memo)
  if not isWithinLimit(self, balance) then
    error("the account holds more than it may")
  end
  return balance
end
