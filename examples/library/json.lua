-- SPDX-License-Identifier: MIT
--
-- The program's answers get a field more.

patch { version = 1 }

local json <const> = require "json"
local Network <const> = class "Shop.Network"

function Network:get(url)
  return json.encode { url = url, body = self:ORIGget(url), cached = false }
end
