-- SPDX-License-Identifier: MIT
--
-- WaxPatch's sample: the cells of a table are relabelled by an override that calls the original.
-- Applied, the rows count down; reverted, they are the cities again.

patch { version = 1 }

local wax <const> = require "wax"
wax.globals()

waxClass { "Shop.CityTable" }

function cell_forRow_in(self, row, section)
  local cell <const> = self:ORIGcell(row, section)
  cell.label = tostring(self:rowCount(section) - row)
  return cell
end
