-- SPDX-License-Identifier: MIT
--
-- Refuses withdrawals that exceed the balance.
--
-- bankd compares a withdrawal with the limit per withdrawal, but not with the balance. This patch
-- adds the missing check and leaves everything else to the program.

-- Waxwing reads the manifest without running the script. Only the name is needed. With `program`,
-- other programs reject the patch, and `waxwing apply` finds the right one by itself.
patch {
  name = "overdraft",
  version = 1,
  program = "bankd",
}

-- A Swift type by its name. Functions that are defined on it replace its methods of that name. A
-- name that the type does not have is an error, never a new method.
local Account = class "bankd.Account"

-- Account.withdraw(_ amount: Int, memo: String) -> Bool
--
-- SavingsAccount overrides the method in Swift and calls `super.withdraw`, which is this function.
-- So the same lines protect savings accounts.
function Account:withdraw(amount, memo)
  if amount > self.balance then
    log.warn("overdraft refused", { account = self.id, balance = self.balance, amount = amount })
    return false
  end
  -- Calls the program's own function, with its own checks.
  return self:ORIGwithdraw(amount, memo)
end
