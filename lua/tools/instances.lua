-- SPDX-License-Identifier: MIT
--
-- What `waxwing instances` runs in a daemon: overrides of a class's initializers that note the
-- objects they make, without keeping them alive. The engine writes the patch that uses this, with
-- one line for each initializer.

---@class waxwing.InstancesOptions
---@field capacity integer   objects that are noted at the same time
---@field where? fun(self: any): any  which of them are shown

local describing <const> = require "describe"

--- How often the dead are forgotten: after so many objects that were made.
local sweep_after <const> = 1000

---@param options waxwing.InstancesOptions
---@return function  the override of an initializer
return function(options)
  ---@type { object: any }[]
  local noted = {}
  local made, missed = 0, 0

  --- Forgets the dead.
  local function sweep()
    local living <const> = {}
    for _, reference in ipairs(noted) do
      if reference.object ~= nil then living[#living + 1] = reference end
    end
    noted = living
  end

  local function note(object)
    made = made + 1
    if made % sweep_after == 0 or #noted >= options.capacity then sweep() end
    if #noted >= options.capacity then
      missed = missed + 1
    else
      noted[#noted + 1] = weak(object)
    end
  end

  --- The living, each once: an initializer may call others of the class.
  local function living()
    local objects <const>, seen <const> = {}, {}
    for _, reference in ipairs(noted) do
      local object <const> = reference.object
      if object ~= nil and not seen[object] then
        seen[object] = true
        objects[#objects + 1] = object
      end
    end
    return objects
  end

  local function list(shows_fields)
    local texts <const>, objects <const> = {}, living()
    local failure
    for _, object in ipairs(objects) do
      local works, wanted = true, true
      if options.where then works, wanted = pcall(options.where, object) end
      if not works then failure = tostring(wanted) end
      if works and wanted then
        texts[#texts + 1] = describing.whole(object, shows_fields)
      end
    end
    return {
      made = made, missed = missed, living = #objects, objects = texts,
      failure = failure and describing.cut(failure),
    }
  end

  answer("objects", function(reply, shows_fields)
    local works <const>, listing <const> = pcall(list, shows_fields)
    reply(works and listing or nil, not works and tostring(listing) or nil)
  end)

  return function(...)
    local results <const> = table.pack(original(...))
    pcall(note, results[1])
    return table.unpack(results, 1, results.n)
  end
end
