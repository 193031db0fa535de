-- SPDX-License-Identifier: MIT
--
-- A multicast delegate: one object that conforms to a delegate's protocol and tells any number of
-- observers, which it does not keep alive.

---@class waxwing.Notifiers
local notifier <const> = {}

---@class waxwing.NotifierOptions
---@field name string?       the class's name; made of the protocol's
---@field methods table<string, any>?  for methods with a result: "first", "last", "any", "all", or a function
---that gets a list of the observers' results; "first" without it
---@field default table<string, any>?  the result where no observer has one
---@field queue "main"|"task"|nil  where observers hear of methods without a result; at once, on the caller's thread

---@class waxwing.Notifier
---@field delegate userdata   the object to be set as delegate; keep it as long as it is to work
---@field add fun(self: waxwing.Notifier, observer: any, options: { first: boolean? }?): boolean
---@field remove fun(self: waxwing.Notifier, observer: any): boolean
---@field clear fun(self: waxwing.Notifier)
---@field observers fun(self: waxwing.Notifier): any[]  those that are alive, in order
---@field responds fun(self: waxwing.Notifier, method: string): boolean  whether any observer does

local combine <const> = {
  first = function(results) return results[1] end,
  last = function(results) return results[results.n] end,
  any = function(results)
    for index = 1, results.n do
      if results[index] then return true end
    end
    return false
  end,
  all = function(results)
    for index = 1, results.n do
      if not results[index] then return false end
    end
    return true
  end,
}

--- An observer, not kept alive if it is a Swift object: Lua tables live with the patch.
local function reference(observer)
  if type(observer) == "userdata" then
    local held <const> = weak(observer)
    return { get = function() return held.object end }
  end
  return { get = function() return observer end }
end

--- The observer's function for a method: "didReceive(_:bytes:)", or "didReceive" alone.
local function function_of(observer, method, base)
  if type(observer) == "table" then
    local found <const> = observer[method] or observer[base]
    return type(found) == "function" and found or nil
  end
  local works <const>, found <const> = pcall(function() return observer[method] end)
  return works and type(found) == "function" and found or nil
end

--- Makes a class that conforms to the protocol, and gives what makes notifiers of it. Works while the
--- patch loads. Every requirement that is a method is forwarded.
---@param protocol string     "Shop.DownloaderDelegate"
---@param methods string[]    its methods: "downloader(_:didReceive:)"
---@param options waxwing.NotifierOptions?
---@return fun(): waxwing.Notifier make
function notifier.class(protocol, methods, options)
  if type(protocol) ~= "string" or type(methods) ~= "table" then
    error("class takes the name of a protocol and a list of its methods", 2)
  end
  local given <const> = options or {}
  local rules <const>, defaults <const> = given.methods or {}, given.default or {}
  for method, rule in next, rules do
    if type(rule) ~= "function" and not combine[rule] then
      error(string.format("there is no way '%s' of combining the results of %s", tostring(rule), method), 2)
    end
  end
  local name <const> = given.name or string.gsub(protocol, "[^%w]", "_") .. "Notifier"
  local Multicast <const> = class(name, nil, { protocol })
  Multicast:field("notifierState")

  local function forward(state, method, base, ...)
    local results <const>, arguments <const> = { n = 0 }, table.pack(...)
    for _, entry in ipairs { table.unpack(state.entries) } do -- those of now: any may be removed meanwhile
      local observer <const> = not entry.is_removed and entry.get() or nil
      local f <const> = observer ~= nil and function_of(observer, method, base)
      if f then
        local works <const>, result <const> = pcall(f, observer, table.unpack(arguments, 1, arguments.n))
        if not works then
          log.error(string.format("an observer of %s failed: %s", method, tostring(result)))
        elseif result ~= nil then
          results.n = results.n + 1
          results[results.n] = result
        end
      end
    end
    return results
  end

  for _, method in ipairs(methods) do
    local base <const> = string.match(method, "^[^(]+")
    local rule <const> = rules[method]
    local combined <const> = type(rule) == "function" and rule or combine[rule or "first"]
    local is_deferred <const> = given.queue ~= nil and rule == nil and defaults[method] == nil
    Multicast[method] = function(self, ...)
      local state <const> = self.notifierState
      if not state then return defaults[method] end
      if is_deferred then
        local arguments <const> = table.pack(...)
        local run <const> = given.queue == "main" and main or task
        run(function() forward(state, method, base, table.unpack(arguments, 1, arguments.n)) end)
        return
      end
      local results <const> = forward(state, method, base, ...)
      if results.n == 0 then return defaults[method] end
      return combined(results)
    end
  end

  return function()
    local state <const> = { entries = {} }
    local delegate <const> = Multicast()
    delegate.notifierState = state
    local self <const> = { delegate = delegate }

    local function sweep()
      for index = #state.entries, 1, -1 do
        if state.entries[index].get() == nil then table.remove(state.entries, index) end
      end
    end

    local function find(observer)
      for index, entry in ipairs(state.entries) do
        if rawequal(entry.get(), observer) or entry.get() == observer then return index end
      end
    end

    function self.add(_, observer, how)
      if type(observer) ~= "table" and type(observer) ~= "userdata" then
        error(string.format("an observer is a table or a Swift object, not a %s", type(observer)), 2)
      end
      sweep()
      if find(observer) then return false end
      table.insert(state.entries, how and how.first and 1 or #state.entries + 1, reference(observer))
      return true
    end

    function self.remove(_, observer)
      sweep()
      local index <const> = find(observer)
      if not index then return false end
      state.entries[index].is_removed = true
      table.remove(state.entries, index)
      return true
    end

    function self.clear()
      for _, entry in ipairs(state.entries) do entry.is_removed = true end
      state.entries = {}
    end

    function self.observers()
      sweep()
      local list <const> = {}
      for index, entry in ipairs(state.entries) do list[index] = entry.get() end
      return list
    end

    function self.responds(_, method)
      local base <const> = string.match(method, "^[^(]+")
      for _, observer in ipairs(self:observers()) do
        if function_of(observer, method, base) then return true end
      end
      return false
    end

    return self
  end
end

return notifier
