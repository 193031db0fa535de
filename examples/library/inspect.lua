-- SPDX-License-Identifier: MIT
--
-- What deposits look like, in the log: one line each, with everything in it.

patch { version = 1 }

local inspect <const> = require "inspect"
local Account <const> = class "Shop.Account"

local seen <const> = {} -- amounts, by account

function Account:deposit(amount)
  local number <const> = self.number
  seen[number] = seen[number] or {}
  table.insert(seen[number], amount)
  log.info("deposits", { seen = inspect(seen, { depth = 3, newline = " ", indent = "" }) })
  return self:ORIGdeposit(amount)
end
