-- SPDX-License-Identifier: MIT
--
-- Counts what all downloaders receive, beside the delegates that they have.

patch { version = 1 }

local notifier <const> = require "notifier"
local Downloader <const> = class "Shop.Downloader"
local retry <const> = "downloader(_:shouldRetry:)"

local make <const> = notifier.class("Shop.DownloaderDelegate", {
  "downloaderDidStart(_:)", "downloader(_:didReceive:)", retry,
}, { default = { [retry] = false } })

local total = 0
local counter <const> = {
  ["downloader(_:didReceive:)"] = function(_, _, bytes) total = total + bytes end,
}

function Downloader:run()
  local many <const>, own <const> = make(), self.delegate
  if own then many:add(own) end
  many:add(counter)
  self.delegate = many.delegate
  local attempts <const> = self:ORIGrun()
  self.delegate = own
  return attempts
end
