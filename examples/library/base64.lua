-- SPDX-License-Identifier: MIT
--
-- Owners' names leave the program encoded.

patch { version = 1 }

local base64 <const> = require "base64"
local Account <const> = class "Shop.Account"

function Account:title()
  return base64.encode(self:ORIGtitle(), { url = true })
end
