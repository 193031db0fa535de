-- SPDX-License-Identifier: MIT
--
-- Handlers of a patch that `waxwing call NAME JSON` reaches through the control socket.

local json <const> = require "waxwing.json"

---@class waxwing.Bridge
local bridge <const> = {}

---@alias waxwing.BridgeReply fun(value: any, failure: string?): boolean
---replies, once; whether anybody still waited for it

---@alias waxwing.BridgeHandler fun(message: any, reply: waxwing.BridgeReply): any

local handlers <const> = {} ---@type table<string, waxwing.BridgeHandler>

local is_listening = false

--- The reply of a handler that failed.
local function fail(reply, name, problem)
  log.error(string.format("the handler '%s' failed: %s", name, tostring(problem)))
  return reply(nil, tostring(problem))
end

local function run(name, handler, text, reply)
  local is_read <const>, message <const> = pcall(json.decode, text)
  if not is_read then return reply(nil, "the message is not JSON: " .. tostring(message)) end
  local has_replied = false

  --- The handler's own, for later: a value, or nil and why there is none.
  local function answer(value, failure)
    if has_replied then return false end
    has_replied = true
    if failure ~= nil then return reply(nil, tostring(failure)) end
    local is_written <const>, encoded <const> = pcall(json.encode, value == nil and null or value)
    if not is_written then return fail(reply, name, encoded) end
    return reply(encoded)
  end

  local results <const> = table.pack(pcall(handler, message, answer))
  if not results[1] then
    if not has_replied then fail(reply, name, results[2]) end
  elseif results.n > 1 then
    answer(results[2], results[3])
  end
end

--- Lets `waxwing call NAME JSON` reach a function: it gets the message, decoded, and one that
--- replies. What it returns is the reply; a handler that returns nothing at all replies later, or
--- never. It may wait. Handlers are declared while the patch loads.
---@param name string
---@param handler waxwing.BridgeHandler
function bridge.handle(name, handler)
  if type(name) ~= "string" or name == "" or type(handler) ~= "function" then
    error('handle takes a name and a function: bridge.handle("x", function(message) … end)',
      2)
  end
  if handlers[name] then
    error(string.format("there is a handler '%s' already; bridge.remove(%q) ends it", name, name),
      2)
  end
  if not is_listening then
    on("message", function(receiver, text, reply)
      local found <const> = handlers[receiver]
      if not found then return false end
      task(function() run(receiver, found, text, reply) end)
      return true
    end)
    is_listening = true
  end
  handlers[name] = handler
end

--- Ends a handler. Messages that it has taken get their replies.
---@param name string
---@return boolean  whether there was one
function bridge.remove(name)
  local was_there <const> = handlers[name] ~= nil
  handlers[name] = nil
  return was_there
end

--- The names of the patch's handlers, sorted.
---@return string[]
function bridge.names()
  local names <const> = {}
  for name in next, handlers do names[#names + 1] = name end
  table.sort(names)
  return names
end

return bridge
