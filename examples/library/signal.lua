-- SPDX-License-Identifier: MIT
--
-- Warns of accounts with three deposits within a second.

patch { version = 1 }

local signal <const> = require "signal"
local Account <const> = class "Shop.Account"

local deposits <const> = signal.calls(Account, "deposit(_:)")
  :map(function(call) return { number = call.object.number, at = clock() } end)

deposits
  :scan({}, function(last, deposit) return { deposit, last[1], last[2] } end)
  :filter(function(last) return last[3] and last[1].at - last[3].at < 1 end)
  :throttle(10)
  :subscribe(function(last) log.warn("many deposits", { account = last[1].number }) end)
