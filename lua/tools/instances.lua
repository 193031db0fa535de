-- SPDX-License-Identifier: MIT
--
-- What `waxwing instances` runs in a daemon: overrides of a class's initializers that note the
-- objects they make, without keeping them alive. The engine writes the patch that uses this, with
-- one line for each initializer.

---@class waxwing.InstancesOptions
---@field channel string     whom the engine's messages are for
---@field capacity integer   objects that are noted at the same time
---@field where? fun(self: any): any  which of them are shown

local describing <const> = require "describe"

--- Between numbers, and between objects: no described value has these characters.
local part_end <const>, object_end <const> = "\31", "\30"

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
    local lines <const>, objects <const> = {}, living()
    local failure = ""
    for _, object in ipairs(objects) do
      local works, wanted = true, true
      if options.where then works, wanted = pcall(options.where, object) end
      if not works then failure = tostring(wanted) end
      if works and wanted then
        lines[#lines + 1] = describing.whole(object, shows_fields)
      end
    end
    return table.concat({ made, missed, #objects, describing.cut(failure) }, part_end) .. object_end
      .. table.concat(lines, object_end)
  end

  on("message", function(name, text, reply)
    if name ~= options.channel then return false end
    local works <const>, answer <const> = pcall(list, text == "fields")
    reply(works and answer or nil, not works and tostring(answer) or nil)
    return true
  end)

  return function(...)
    local results <const> = table.pack(original(...))
    pcall(note, results[1])
    return table.unpack(results, 1, results.n)
  end
end
