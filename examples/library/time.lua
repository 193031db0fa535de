-- SPDX-License-Identifier: MIT
--
-- Says each minute how many deposits there were, and how long the slowest took.

patch { version = 1 }

local time <const> = require "time"
local Account <const> = class "Shop.Account"

local count, slowest = 0, 0

function Account:deposit(amount)
  local began <const> = time.monotonic()
  local balance <const> = self:ORIGdeposit(amount)
  count, slowest = count + 1, math.max(slowest, time.monotonic() - began)
  return balance
end

time.every(60, function()
  log.info("deposits", { count = count, slowest = time.duration(slowest) })
  count, slowest = 0, 0
end)
