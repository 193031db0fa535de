-- SPDX-License-Identifier: MIT
--
-- Covers that the program makes are of one size, though a size cannot be changed.

patch { version = 1 }

local with <const> = require "with"
local Studio <const> = class "Shop.Studio"

function Studio:cover(url)
  return with(self:ORIGcover(url), { ["size.width"] = 64, ["size.height"] = 64 })
end
