-- SPDX-License-Identifier: MIT
--
-- What `typeof` gives of a type. It is loaded when the first is asked for.

local host <const> = ...

local most_lines <const> = 300

--- Functions that list all of a type, by what `typeof` has given of it so far: most code asks for
--- the name.
local listers <const> = setmetatable({}, { __mode = "k" })

local function complete(listing)
  local lister <const> = listers[listing]
  if lister then
    listers[listing] = nil
    for key, value in next, lister() do listing[key] = value end
  end
  return listing
end

local type_listing <const> = {
  __metatable = false,
  __name = "type",
  __eq = function(a, b) return a.name == b.name end,
  __tostring = function(self)
    local head = self.kind .. " " .. self.name
    local parents <const> = { table.unpack(self.protocols) }
    if self.superclass then table.insert(parents, 1, self.superclass) end
    if #parents > 0 then head = head .. ": " .. table.concat(parents, ", ") end
    if #self.members == 0 then return head end
    local rest <const> = #self.members - most_lines
    local last <const> = math.min(#self.members, most_lines)
    return head .. "\n  " .. table.concat(self.members, "\n  ", 1, last)
      .. (rest > 0 and string.format("\n  … and %d more, in `members`", rest) or "")
  end,
  __index = function(self, key)
    if key == "members" or key == "protocols" then return rawget(complete(self), key) end
  end,
  __pairs = function(self) return next, complete(self) end,
}

--- Those that contain the text, whatever the case of letters.
local function matching(members, text)
  local found <const>, wanted <const> = {}, string.lower(text)
  for _, member in ipairs(members) do
    if string.find(string.lower(member), wanted, 1, true) then found[#found + 1] = member end
  end
  return found
end

---@param name string|false  of the type or module, if the value is a type object
return function(value, name, text)
  local module <const> = name and string.match(name, "^module (.*)")
  local listing, subject
  if text == nil and not module then listing, subject = host.type_briefly(value, name) end
  listing = listing or module and host.moduleNamed(module)
    or name and host.typeNamed(name, text ~= nil) or host.typeof(value, text ~= nil)
  if type(listing) ~= "table" then return listing end
  if text ~= nil then listing.members = matching(listing.members, tostring(text)) end
  if subject then listers[listing] = function() return host.complete_type(subject) end end
  return setmetatable(listing, type_listing)
end
