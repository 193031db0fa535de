-- SPDX-License-Identifier: MIT
--
-- Stops withdrawals that the account cannot pay for.
--
-- bankd checks a withdrawal against the limit per withdrawal, and forgets the balance. This patch
-- adds the check that is missing, and leaves everything else to the program.

-- The manifest is read without running the script. Only the name is needed; with `program`, the
-- patch is refused by other programs, and `waxwing apply` finds the right one by itself.
patch {
  name = "overdraft",
  version = 1,
  program = "bankd",
}

-- A Swift type by its name. The functions defined on it replace the methods of that name: a name
-- that the type does not have is an error, never a new method.
local Account = class "bankd.Account"

-- Account.withdraw(_ amount: Int, memo: String) -> Bool
--
-- SavingsAccount overrides the method in Swift and calls `super.withdraw`: that is this function
-- too, so savings accounts are protected by the same lines.
function Account:withdraw(amount, memo)
  if amount > self.balance then
    log.warn("overdraft refused", { account = self.id, balance = self.balance, amount = amount })
    return false
  end
  -- The program's own function, with its own checks.
  return self:ORIGwithdraw(amount, memo)
end
