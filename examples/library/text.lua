-- SPDX-License-Identifier: MIT
--
-- Titles of accounts have one form.

patch { version = 1 }

local text <const> = require "text"
local Account <const> = class "Shop.Account"

function Account:title()
  return text.format("${number} ${owner}", {
    number = text.rjust(tostring(self.number), 6, "0"),
    owner = text.shorten(text.strip(self.owner), 20),
  })
end
