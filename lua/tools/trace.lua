-- SPDX-License-Identifier: MIT
--
-- What `waxwing trace` runs in a daemon: overrides that call the original and note what came of it.
-- The engine writes the patch that uses this, with one line for each function.

---@class waxwing.TraceOptions
---@field counts boolean     note no calls: the engine measures how long they take
---@field capacity integer   calls that are kept until they are asked for
---@field most integer?      note so many calls, and no more
---@field sample integer     note one call of so many
---@field depth integer?     note calls that are nested no deeper
---@field shows_fields boolean?  show properties that can change, too
---@field callers integer?   tell so many callers
---@field where waxwing.TraceExpression?
---@field show waxwing.TraceExpression?

---@alias waxwing.TraceExpression
---| fun(self: any, args: table, result: any, error: any, cost: number): any

--- A call as TraceAnswer.swift reads it.
---@class waxwing.TracedCall
---@field point integer
---@field level integer
---@field thread integer
---@field began number
---@field cost number
---@field succeeded boolean
---@field receiver string
---@field arguments string
---@field outcome string
---@field shown string
---@field callers integer[]?

local describing <const> = require "describe"
local describe <const>, cut <const> = describing.describe, describing.cut

---@param options waxwing.TraceOptions
---@return fun(index: integer, has_self: boolean, is_async: boolean, masked: table,
---masks_result: boolean): function  makes an override
return function(options)
  if options.shows_fields then describing.show_fields() end
  local calls = {}            ---@type waxwing.TracedCall[]
  local dropped, noted, seen = 0, 0, 0
  local errors = {}           ---@type table<integer, integer>
  local depths <const> = {}   ---@type table<integer, integer>  by thread

  --- What the original has returned or thrown goes on; errors are counted.
  local function settle(index, succeeded, ...)
    if succeeded then return ... end
    errors[index] = (errors[index] or 0) + 1
    error((...), 0)
  end

  --- Expressions that a limit has stopped so often are not asked any more: each time costs the
  --- program's call as much as the limit lets it.
  local stops <const>, most_stops <const> = {}, 5

  --- What an expression gives, with a budget of its own: as `pcall`. Its error is a text.
  local function try(name, f, ...)
    if (stops[name] or 0) >= most_stops then
      return false, name .. " failed too often, and is not asked any more"
    end
    local works <const>, value <const> = separately(f, ...)
    if works then return true, value end
    if works == nil then stops[name] = (stops[name] or 0) + 1 end
    local has_text <const>, text <const> = separately(tostring, value)
    return false, name .. " failed: " .. cut(has_text and text or "an error that has no text")
  end

  local function shown_text(...) return describe(options.show(...)) end

  --- Whether a call is wanted, and what is to be shown of it.
  local function ask(self, args, results, cost)
    local result, problem
    if results[1] then result = results[2] else problem = results[2] end
    if options.where then
      local works <const>, wanted <const> =
        try("--where", options.where, self, args, result, problem, cost)
      if not works then return true, wanted end
      if not wanted then return false end
    end
    if not options.show then return true end
    local _, shown <const> = try("--show", shown_text, self, args, result, problem, cost)
    return true, shown
  end

  local function note(index, has_self, masked, masks_result, level, began, cost, results, ...)
    seen = seen + 1
    if seen % options.sample ~= 0 then return end
    if options.depth and level > options.depth then return end
    if options.most and noted >= options.most then return end
    local args <const> = table.pack(select(has_self and 2 or 1, ...))
    local self <const> = has_self and (...) or nil
    local is_wanted <const>, shown <const> = ask(self, args, results, cost)
    if not is_wanted then return end
    noted = noted + 1
    if #calls >= options.capacity then
      dropped = dropped + 1
      return
    end
    -- While values are described, other calls come here.
    local call <const> = {
      point = index, level = level, thread = thread(), began = began, cost = cost,
      succeeded = results[1], receiver = has_self and describe(self) or "",
      arguments = describing.arguments(args, 1, masked),
      outcome = describing.outcome(results, masks_result), shown = shown or "",
      callers = options.callers and callers(options.callers),
    }
    calls[#calls + 1] = call
  end

  local function finish(
    index, has_self, masked, masks_result, level, began, cost, results, ...
  )
    -- What goes wrong here is not the program's.
    pcall(note, index, has_self, masked, masks_result, level, began, cost, results, ...)
    if results[1] then return table.unpack(results, 2, results.n) end
    error(results[2], 0)
  end

  answer("calls", function(reply)
    local failures <const> = {}
    for index, number in next, errors do
      failures[#failures + 1] = { point = index, count = number }
    end
    local batch <const> = { calls = calls, errors = failures, dropped = dropped }
    calls, errors, dropped = {}, {}, 0
    reply(batch)
  end)

  return function(index, has_self, is_async, masked, masks_result)
    if options.counts then
      return function(...) return settle(index, pcall(original, ...)) end
    end
    -- A task goes from thread to thread: how deep it is, these cannot tell.
    if is_async then
      return function(...)
        local began <const>, start <const> = clock("wall"), clock()
        local results <const> = table.pack(pcall(original, ...))
        return finish(
          index, has_self, masked, masks_result, 1, began, clock() - start, results, ...)
      end
    end
    return function(...)
      local id <const> = thread()
      local level <const> = (depths[id] or 0) + 1
      depths[id] = level
      local began <const>, start <const> = clock("wall"), clock()
      local results <const> = table.pack(pcall(original, ...))
      local cost <const> = clock() - start
      depths[id] = level > 1 and level - 1 or nil
      return finish(index, has_self, masked, masks_result, level, began, cost, results, ...)
    end
  end
end
