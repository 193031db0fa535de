-- SPDX-License-Identifier: MIT
--
-- Logs the calls that move money, and those that are slow.

patch { version = 1 }

local tracker <const> = require "tracker"

tracker.start({
  ["Shop.Account"] = { ["deposit(_:)"] = "money in", ["withdraw(_:)"] = "money out" },
  ["Shop.Network"] = { "fetch(_:)", "load(_:)" },
}, {
  did = function(call)
    if not call.label and call.duration < 0.5 then return end
    log.info(call.label or call.selector, { seconds = call.duration, failed = call.threw })
  end,
})
