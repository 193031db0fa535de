-- SPDX-License-Identifier: MIT
--
-- What `captured` does. It is loaded when that is first used.

local host <const> = ...

local events <const> = {}

function events.__index(_, name) return host.captured(name) end

function events.__newindex(_, name)
  error(string.format("what a closure has captured can be read, and not set: `captured.%s`",
    tostring(name)), 2)
end

function events.__len() return #host.captures() end

function events.__pairs()
  local names <const>, place = host.captures(), 0
  return function()
    place = place + 1
    local name <const> = names[place]
    if name ~= nil then return name, host.captured(name) end
  end
end

function events.__tostring()
  local _, text <const> = host.captures()
  return text
end

return events
