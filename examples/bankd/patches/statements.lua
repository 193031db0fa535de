-- SPDX-License-Identifier: MIT
--
-- Readable statements: a heading, amounts in words, and no entries of less than a euro.
--
-- An object of a Lua class, which inherits from bankd's own, replaces the table's source. Another
-- Lua object becomes the table's delegate.

patch {
  name = "statements",
  version = 1,
  program = "bankd",
}

local EntrySource = class "bankd.EntrySource"
local Account = class "bankd.Account"

local Readable = class("ReadableEntries", EntrySource)

function Readable:init(entries)
  self.super:init(entries)
  self.shown = {}                                 -- which of the entries have a row
  for i, entry in ipairs(entries) do
    if math.abs(entry.amount) >= 100 then self.shown[#self.shown + 1] = i - 1 end
  end
end

function Readable:rowCount() return #self.shown end

function Readable:label(of, row)
  local text <const> = self.super:label(of, self.shown[row + 1])
  return (string.gsub(text, ": %-(.*)$", ": %1 paid out"))
end

local Heading = class("StatementHeading", nil, { "bankd.StatementTableDelegate" })

function Heading.get:heading() return "Statement of " .. self.owner end
function Heading:table_didShow(_, rows)
  log.info("statement shown", { owner = self.owner, rows = rows })
end

-- A table holds its delegate weakly, so each account keeps its own.
Account:field("statement_heading", function(account)
  local heading = Heading()
  heading.owner = account.owner
  return heading
end)

function Account:makeTable(limit)
  local table = self:ORIGmakeTable(limit)
  table.source = Readable(self.entries)
  table.delegate = self.statement_heading
  return table
end
