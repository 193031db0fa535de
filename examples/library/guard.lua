-- SPDX-License-Identifier: MIT
--
-- A network that fails now and then: try again, and stop asking while it is down.

patch { version = 1 }

local guard <const> = require "guard"
local Network <const> = class "Shop.Network"

guard.timeout(Network, "load(_:)", 5)
guard.retry(Network, "load(_:)", { attempts = 3, delay = 0.1 })
guard.breaker(Network, "load(_:)", { failures = 5, reset = 30, default = "" })
