-- SPDX-License-Identifier: MIT
--
-- The vocabulary of JSPatch by bang590: defineClass, require of classes, properties by name, queues,
-- blocks, weak and strong.

---@class waxwing.JSPatch
local jspatch <const> = {}

local load <const> = require

--- "Name: Super <P, Q>" -> name, superclass, protocols
local function parse(declaration)
  local head <const>, list <const> = string.match(declaration, "^%s*([^<]-)%s*<([^>]*)>%s*$")
  local name <const>, superclass <const> = string.match(head or declaration, "^%s*([^:%s]+)%s*:%s*(.-)%s*$")
  local protocols
  if list then
    protocols = {}
    for protocol in string.gmatch(list, "[^,%s]+") do protocols[#protocols + 1] = protocol end
  end
  return name or string.match(head or declaration, "^%s*(.-)%s*$"), superclass, protocols
end

--- JSPatch's name of a method as Swift's: what follows an underscore is a label, and a double underscore
--- is an underscore: `tableView_didSelect` is `tableView(_:didSelect:)`.
---@param name string
---@param target table?  the class, which decides where there are several ways
---@return string
function jspatch.selector(name, target)
  local wax <const> = load "waxwing.wax"
  local prefix <const>, rest <const> = string.match(name, "^(ORIG)(.+)$")
  local plain <const> = string.gsub(rest or name, "__", "UNDERxLINE")
  local selector <const> = wax.selector(plain, target)
  return (prefix or "") .. selector
end

local function is_known(name)
  local works <const>, found <const> = pcall(class, name)
  return works and found or nil
end

--- Overrides what the class has. What it does not have goes into `rest`, or is a method of the patch's own.
local function add_methods(target, names, methods, is_static, rest)
  local place <const> = is_static and target.static or target
  for name, f in next, methods or {} do
    if type(f) ~= "function" then
      error(string.format("the method `%s` is a function, not a %s", tostring(name), type(f)), 3)
    end
    local selector <const> = jspatch.selector(name, names)
    local is_end <const> = name == "dealloc" and not is_static
    local works <const>, problem = pcall(function()
      if is_end then target:deinit(f) else place[selector] = f end
    end)
    if not works then
      if not string.find(tostring(problem), "has no function", 1, true) then
        error((string.gsub(tostring(problem), "^[^:]*:%d+: ", "")), 3)
      end
      if rest then rest[selector] = f else place:method(name, f) end
    end
  end
end

local function add_properties(target, properties)
  for _, property in ipairs(properties or {}) do target:field(property) end
end

--- Overrides methods of a class, or makes one: `defineClass("Name: Super <P>", {properties}, {instance
--- methods}, {class methods})`. The properties may be left out; `dealloc` is called before the object's own
--- deinitializer. Works while the patch loads.
---@param declaration string
---@param properties string[]|table<string, function>|nil
---@param instance_methods table<string, function>?
---@param class_methods table<string, function>?
---@return table class
function jspatch.defineClass(declaration, properties, instance_methods, class_methods)
  if type(declaration) ~= "string" then
    error("defineClass takes a declaration: defineClass(\"Name: Super <Protocol>\", {…}, {…})", 2)
  end
  if properties ~= nil and #properties == 0 and next(properties) ~= nil then -- methods: they have names
    properties, instance_methods, class_methods = nil, properties, instance_methods
  end
  local name <const>, superclass <const>, protocols <const> = parse(declaration)
  local known <const> = is_known(name)
  if known then
    add_properties(known, properties)
    local requirements <const> = protocols and {}
    add_methods(known, known, instance_methods, false, requirements)
    add_methods(known, known, class_methods, true)
    for _, protocol in ipairs(protocols or {}) do conform(known, protocol, requirements) end
    return known
  end
  local made <const> = class(name, superclass, protocols)
  local names <const> = superclass and is_known(superclass) or nil
  add_properties(made, properties)
  for method, f in next, instance_methods or {} do
    local selector <const> = method == "dealloc" and "deinit" or jspatch.selector(method, names)
    made[selector] = f
    -- A protocol's requirement may have a first parameter without a label: nothing tells.
    local base <const>, labels <const> = string.match(selector, "^([^(]+)%((%a.*)$")
    if protocols and base then made[base .. "(_:" .. labels] = f end
  end
  for method, f in next, class_methods or {} do made.static[jspatch.selector(method, names)] = f end
  return made
end

--- The classes of the names: `local Account, Cell = jspatch.require("Shop.Account, Shop.Cell")`.
---@param names string
---@return table ...
function jspatch.require(names)
  if type(names) ~= "string" then
    error(string.format("require takes names with commas between them, not a %s", type(names)), 2)
  end
  local found <const> = {}
  for name in string.gmatch(names, "[^,%s]+") do found[#found + 1] = class(name) end
  return table.unpack(found)
end

--- Runs a module of the patch: `include("other.lua")`.
---@param file string
---@return any
function jspatch.include(file)
  local name <const> = string.gsub(string.gsub(file, "%.lua$", ""), "/", ".")
  return load(name)
end

--- What a property that `defineClass` has added holds.
---@param object userdata
---@param name string
---@return any
function jspatch.getProp(object, name) return object[name] end

--- Sets such a property.
---@param object userdata
---@param value any
---@param name string
function jspatch.setProp(object, value, name) object[name] = value end

--- Runs a function later.
---@param seconds number
---@param f function
---@return table token
function jspatch.dispatch_after(seconds, f)
  local token <const> = after(seconds, f)
  return token
end

--- Runs a function on the main actor, later.
---@param f function
---@return table token
function jspatch.dispatch_async_main(f)
  local token <const> = main(f)
  return token
end

--- Runs a function on the main actor and waits for it: in async functions and tasks.
---@param f function
---@return any ...
function jspatch.dispatch_sync_main(f)
  return main(f):wait()
end

--- Runs a function on no actor, later.
---@param f function
---@return table token
function jspatch.dispatch_async_global_queue(f)
  local token <const> = global(f)
  return token
end

--- The function: Swift's parameter says what type a closure has, so types are not needed.
---@param types string|function  left out, or ignored
---@param f function?
---@return function
function jspatch.block(types, f)
  local body <const> = f or types
  if type(body) ~= "function" then error("block takes a function", 2) end
  return body
end

--- A reference that does not keep the object: `weak(object).object`.
---@param object userdata
---@return table
function jspatch.weak(object)
  local reference <const> = weak(object)
  return reference
end

--- The object of such a reference, or nil when it is dead.
---@param reference table|userdata
---@return userdata?
function jspatch.strong(reference)
  local works <const>, object <const> = pcall(function() return reference.object end)
  if works then return object end
  return reference
end

--- Makes the words globals of the patch. `require` loads modules as ever, and gives classes where names are
--- of classes.
function jspatch.globals()
  for _, word in ipairs {
    "defineClass", "include", "dispatch_after", "dispatch_async_main", "dispatch_sync_main",
    "dispatch_async_global_queue", "block", "strong",
  } do
    rawset(_G, word, jspatch[word])
  end
  rawset(_G, "require", function(names)
    if string.find(names, "^[%u][%w_]*%.%u") or string.find(names, ",", 1, true) then return jspatch.require(names) end
    return load(names)
  end)
  rawset(_G, "nsnull", null)
end

return jspatch
