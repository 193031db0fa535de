-- SPDX-License-Identifier: MIT
--
-- Rounds fees to the nearest cent, as the price list promises.
--
-- bankd computes a fee as a Double and truncates it to cents: 1.5 % of 100.50 is 1.5075, and
-- becomes 1.50 instead of 1.51.

patch {
  name = "fees",
  version = 1,
  program = "bankd",
}

-- The same as `class`, in the spelling of Wax: each function that is defined from here to the end
-- of the file replaces the type's method of that name.
waxClass{"bankd.FeeSchedule"}

-- FeeSchedule.fee(on amount: Int) -> Int
--
-- The name is the Swift name with the labels joined by underscores. A Swift Int is a Lua integer,
-- so nothing is lost, and `//` is integer division. One unit of `scaled` is a basis point of a
-- cent; half a cent, 5000 of them, rounds up.
function fee_on(self, amount)
  local scaled = amount * self.basisPoints
  return math.max(self.minimum, (scaled + 5000) // 10000)
end
