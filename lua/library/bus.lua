-- SPDX-License-Identifier: MIT
--
-- Events with listeners: by name, ordered, with owners that they do not outlive.

---@class waxwing.Buses
local bus <const> = {}

---@class waxwing.ListenerOptions
---@field priority number?  the higher hears first; 0
---@field once boolean?     for one event
---@field owner userdata?   a Swift object: the listener ends with it, and does not keep it alive

---@class waxwing.Listener
---@field name string
---@field active boolean
---@field remove fun(self: waxwing.Listener): boolean  false if it has ended

---@class waxwing.Bus
local Bus <const> = {}
Bus.__index = Bus

--- A bus of its own; the module itself is one that all of the patch share.
---@return waxwing.Bus
function bus.new()
  return setmetatable({ listeners = {}, last = {}, number = 0 }, Bus)
end

local function check_name(what, name)
  if type(name) ~= "string" or name == "" then
    error(string.format("%s takes the name of an event, not %s", what, tostring(name)), 3)
  end
end

local function end_listener(self, listener)
  if not listener.active then return false end
  listener.active = false
  local list <const> = self.listeners[listener.name]
  for index, other in ipairs(list) do
    if other == listener then table.remove(list, index) end
  end
  return true
end

--- Calls a listener; an error is logged, and the others hear all the same.
local function tell(self, listener, ...)
  if listener.owner and listener.owner.object == nil then
    end_listener(self, listener)
    return false
  end
  if listener.once then end_listener(self, listener) end
  local works, problem
  if listener.selector then
    local receiver <const> = listener.owner.object
    works, problem = pcall(function(...) return receiver[listener.selector](receiver, ...) end, ...)
  else
    works, problem = pcall(listener.f, ...)
  end
  if not works then log.error(string.format("a listener of '%s' failed: %s", listener.name, tostring(problem))) end
  return true
end

--- Hears events of a name: `bus:on("saved", f)`, or `bus:on("saved", object, "saved(_:)")` for a method
--- of a Swift object, which the listener ends with. "*" hears all events, and gets their name first.
---@param name string
---@param f function|userdata
---@param options waxwing.ListenerOptions|string|nil  or the method
---@param more waxwing.ListenerOptions?  the options, after a method
---@return waxwing.Listener
function Bus:on(name, f, options, more)
  check_name("on", name)
  local selector
  local given = options
  local owner = type(options) == "table" and options.owner or nil
  if type(f) == "userdata" then
    if type(options) ~= "string" then
      error("on takes an object and the name of its method: bus:on(\"saved\", object, \"saved(_:)\")", 2)
    end
    selector, given, owner = options, more, f
  elseif type(f) ~= "function" then
    error(string.format("on takes a function, or an object and a method, not a %s", type(f)), 2)
  end
  given = given or {}
  self.number = self.number + 1
  local listener <const> = {
    name = name, f = f, selector = selector, once = given.once, priority = given.priority or 0,
    number = self.number, active = true,
  }
  if owner ~= nil then
    listener.owner = weak(owner)
    if selector then listener.f = nil end
  end
  function listener.remove() return end_listener(self, listener) end
  local list <const> = self.listeners[name] or {}
  self.listeners[name] = list
  list[#list + 1] = listener
  table.sort(list, function(a, b)
    if a.priority ~= b.priority then return a.priority > b.priority end
    return a.number < b.number
  end)
  local sticky <const> = self.last[name]
  if sticky then tell(self, listener, table.unpack(sticky, 1, sticky.n)) end
  return listener
end

--- The same for one event.
---@param name string
---@param f function
---@return waxwing.Listener
function Bus:once(name, f)
  local listener <const> = self:on(name, f, { once = true })
  return listener
end

--- Tells of an event: those that listen now, the more important first.
---@param name string
---@param ... any
---@return integer  how many heard of it
function Bus:post(name, ...)
  check_name("post", name)
  local count = 0
  for _, listener in ipairs { table.unpack(self.listeners[name] or {}) } do
    if listener.active and tell(self, listener, ...) then count = count + 1 end
  end
  for _, listener in ipairs { table.unpack(self.listeners["*"] or {}) } do
    if listener.active and tell(self, listener, name, ...) then count = count + 1 end
  end
  return count
end

--- The same, and who listens later hears of it at once: of the last one of the name.
---@param name string
---@param ... any
---@return integer
function Bus:post_sticky(name, ...)
  check_name("post_sticky", name)
  self.last[name] = table.pack(...)
  local count <const> = self:post(name, ...)
  return count
end

--- Forgets the sticky event of a name.
---@param name string
function Bus:forget(name) self.last[name] = nil end

--- How many listeners an event has, or all of them.
---@param name string?
---@return integer
function Bus:count(name)
  local count = 0
  for key, list in next, self.listeners do
    if name == nil or key == name then
      for _, listener in ipairs(list) do
        if not listener.owner or listener.owner.object ~= nil then count = count + 1 end
      end
    end
  end
  return count
end

--- Ends the listeners of an event, or all of them.
---@param name string?
function Bus:clear(name)
  for key, list in next, self.listeners do
    if name == nil or key == name then
      for _, listener in ipairs { table.unpack(list) } do end_listener(self, listener) end
    end
  end
end

local shared <const> = bus.new()

--- Hears events on the shared bus; see `Bus:on`.
---@param name string
---@param f function|userdata
---@param options waxwing.ListenerOptions|string|nil
---@param more waxwing.ListenerOptions?
---@return waxwing.Listener
function bus.on(name, f, options, more)
  local listener <const> = shared:on(name, f, options, more)
  return listener
end

--- Tells of an event on the shared bus.
---@param name string
---@param ... any
---@return integer  how many heard of it
function bus.post(name, ...)
  local count <const> = shared:post(name, ...)
  return count
end

--- The bus that `bus.on` and `bus.post` use.
bus.shared = shared

return bus
