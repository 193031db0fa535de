-- SPDX-License-Identifier: MIT
--
-- Messages through the control socket, both ways: `waxwing call NAME JSON` reaches handlers of a
-- patch, and a patch reaches what `waxwing handle NAME` runs.

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
      if not found then return false, table.unpack(bridge.names()) end
      task(function() run(receiver, found, text, reply) end)
      return true
    end)
    is_listening = true
  end
  handlers[name] = handler
end

--- How long the reply of a client is waited for, in seconds.
local patience <const> = 30

---@return string, number
local function check_message(what, name, message, seconds)
  if type(name) ~= "string" or name == "" then
    error(string.format('%s takes the name of a client\'s handler: bridge.%s("owner", 1)', what,
      what), 3)
  end
  if seconds ~= nil and not (type(seconds) == "number" and seconds >= 0) then
    error(what .. " takes the time to wait in seconds, a number >= 0", 3)
  end
  local is_written <const>, text <const> = pcall(json.encode, message == nil and null or message)
  if not is_written then error("the message cannot be sent: " .. tostring(text), 3) end
  return text, seconds or patience
end

--- The reply of a client, decoded; nil and why there is none.
local function wait_for_reply(name, text, seconds)
  local results
  local in_time <const>, problem <const> = pcall(timeout, seconds, function()
    results = table.pack(ask(name, text))
  end)
  if not results then
    if cancelled() then error(problem, 0) end
    return nil, in_time and "no reply" or string.format(
      "no client has handled '%s' within %.14g s", name, seconds)
  end
  if not results[1] then return nil, results[2] end
  local is_read <const>, value <const> = pcall(json.decode, results[1])
  if not is_read then return nil, "the reply is not JSON: " .. tostring(value) end
  return value
end

--- Sends a message to the client that handles the name (`waxwing handle NAME`), and waits for its
--- reply: where code can wait. The message waits for a client if there is none yet.
---@param name string
---@param message any       as `json.encode` takes it
---@param seconds number?   how long to wait, 30 without it
---@return any reply         nil if there is none; null if the client replies with that
---@return string? failure   why there is none
function bridge.call(name, message, seconds)
  local text <const>, patience_now <const> = check_message("call", name, message, seconds)
  return wait_for_reply(name, text, patience_now)
end

--- The same from where code cannot wait: `f` gets the reply, later.
---@param name string
---@param message any
---@param f fun(reply: any, failure: string?)?
---@param seconds number?
function bridge.send(name, message, f, seconds)
  local text <const>, patience_now <const> = check_message("send", name, message, seconds)
  if f ~= nil and type(f) ~= "function" then
    error("send takes a function for the reply, or nil", 2)
  end
  task(function()
    local reply <const>, failure <const> = wait_for_reply(name, text, patience_now)
    if f then
      f(reply, failure)
    elseif failure then
      log.warn(string.format("the message to '%s': %s", name, failure))
    end
  end)
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
