-- SPDX-License-Identifier: MIT
--
-- Calls by name, after CTMediator by Casa Taloyum: who calls knows neither the target nor its module.

local router <const> = require "waxwing.router"

---@class waxwing.Mediator
---@field absent "error"|"nil"|fun(target: string, action: string, parameters: table?): any
---what becomes of calls whose target or action there is not: an error, without another policy
local mediator <const> = { absent = "error" }

local targets <const> = {} ---@type table<string, table|userdata>
local native <const> = {} ---@type table<string, table<string, boolean>>

--- Registers a target: a table of functions, a Swift object, or a class, whose object is made by `make`
--- when it is first needed.
---@param name string
---@param target table|userdata
---@param options { native: string[]?, make: (fun(): any)? }?  native: actions that URLs do not reach
function mediator.register(name, target, options)
  if type(name) ~= "string" or type(target) ~= "table" and type(target) ~= "userdata" then
    error("register takes a name and a table of functions, an object or a class", 2)
  end
  targets[name] = options and options.make and { make = options.make, class = target } or target
  native[name] = {}
  for _, action in ipairs(options and options.native or {}) do native[name][action] = true end
end

--- Forgets a target.
---@param name string
---@return boolean  whether there was one
function mediator.remove(name)
  local was_there <const> = targets[name] ~= nil
  targets[name], native[name] = nil, nil
  return was_there
end

local function target_of(name)
  local found <const> = targets[name]
  if type(found) == "table" and rawget(found, "make") and rawget(found, "class") then
    targets[name] = found.make()
    return targets[name]
  end
  return found
end

--- The function for an action: of a table, or the method of an object, by its name or full selector.
local function action_of(target, action)
  if target == nil then return nil end
  local works <const>, f <const> = pcall(function() return target[action] end)
  if works and type(f) == "function" then return f end
end

local function absent(name, action, parameters)
  local policy <const> = mediator.absent
  if type(policy) == "function" then return policy(name, action, parameters) end
  if policy == "nil" then return nil end
  error(targets[name] == nil and string.format("there is no target '%s'", name)
    or string.format("the target '%s' has no action '%s'", name, action), 3)
end

--- Calls an action of a target. It gets the parameters; a method of a Swift object gets them one by one
--- if they are a list, and the table otherwise.
---@param name string
---@param action string
---@param parameters table?
---@return any ...  what the action returns
function mediator.perform(name, action, parameters)
  local target <const> = target_of(name)
  local f <const> = action_of(target, action)
  if not f then
    local result <const> = absent(name, action, parameters)
    return result
  end
  if type(target) == "userdata" then
    if parameters == nil then return f(target) end
    if #parameters > 0 then return f(target, table.unpack(parameters)) end
    return f(target, parameters)
  end
  return f(parameters or {})
end

--- Whether a target has an action.
---@param name string
---@param action string
---@return boolean
function mediator.can_perform(name, action)
  return action_of(target_of(name), action) ~= nil
end

--- Calls what a URL says: `app://Target/action?x=1`. Native actions are refused.
---@param url string
---@param completion fun(result: any)?  gets the result
---@return boolean  whether the action was called
function mediator.open(url, completion)
  local parsed <const> = router.parse(url)
  local name <const>, action <const> = parsed.parts[1], parsed.parts[2]
  if not name or not action or #parsed.parts > 2 then return false end
  if native[name] and native[name][action] or not mediator.can_perform(name, action) then return false end
  local result <const> = mediator.perform(name, action, parsed.query)
  if completion then completion(result) end
  return true
end

return mediator
