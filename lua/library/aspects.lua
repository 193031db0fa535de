-- SPDX-License-Identifier: MIT
--
-- Hooks of methods in the manner of Aspects by Peter Steinberger: on a class or on one object,
-- before, after or instead, with an invocation and a token.

local text <const> = require "waxwing.text"

---@class waxwing.Aspects
local aspects <const> = {}

aspects.before = "before"
aspects.after = "after"
aspects.instead = "instead"

--- What a refusal's `code` says. The names are those of Aspects.
aspects.codes = {
  selector_blacklisted = "selector_blacklisted",
  does_not_respond = "does_not_respond",
  dealloc_position = "dealloc_position",
  already_hooked_in_hierarchy = "already_hooked_in_hierarchy",
  missing_block = "missing_block",
  incompatible_signature = "incompatible_signature",
  cannot_be_hooked = "cannot_be_hooked",
  not_prepared = "not_prepared",
}

---@class waxwing.AspectOptions
---@field position "before"|"after"|"instead"|nil  after, without it
---@field automatic_removal boolean?  for one call
---@field exclusive boolean?  refused if a class above or below has such a hook of the same selector
---@field types string[]?     the parameters that the block expects: a method with others is refused
---@field result string?      the same of the result

---@class waxwing.AspectInfo
---@field instance any        the object that the method is called on
---@field arguments table     the call's arguments, with `n`; before and instead: to be changed
---@field result any          after: what the method has returned; to be changed
---@field invoke fun(self: waxwing.AspectInfo, ...: any): any ...  instead: calls the original, with
---the call's arguments if none are given

---@class waxwing.AspectToken
---@field selector string
---@field class string
---@field remove fun(self: waxwing.AspectToken): boolean, string?  false if it is removed already;
---and "the object is gone"

local refusal <const> = {
  __name = "aspects refusal",
  __tostring = function(self) return self.message end,
}

local function refuse(code, ...)
  error(setmetatable({ code = code, message = string.format(...) }, refusal), 0)
end

local blacklist <const> = {
  retain = true, release = true, autorelease = true, ["forwardInvocation:"] = true,
  ["forwardInvocation(_:)"] = true,
}

--- An error's text without its place.
local function plain(problem)
  return (string.gsub(tostring(problem), "^[^`]-:%d+: ", ""))
end

--- The hooks of classes that are there: by selector, the names of the classes and how many hooks
--- they have.
local hooked <const> = {}

local function count(selector, class_name, difference)
  local classes <const> = hooked[selector] or {}
  hooked[selector] = classes
  classes[class_name] = (classes[class_name] or 0) + difference
  if classes[class_name] <= 0 then classes[class_name] = nil end
end

--- What `typeof` tells of types, by name: to ask is one of the dearest calls that a patch can make.
local listings <const> = {}

local kinds <const> = { class = true, struct = true, enum = true }

--- The listing of a type object's type, or nil if it is something else.
local function listing(target)
  local name <const> = tostring(target)
  if listings[name] then return listings[name] end
  local found <const> = typeof(target)
  if type(found) ~= "table" or not kinds[found.kind] or found.name ~= name then return nil end
  listings[name] = found
  return found
end

--- The name of the class above, if a patch can name that class.
local function parent(class_name)
  local name <const> = listing(class(class_name)).superclass
  return name and pcall(class, name) and name or nil
end

--- The names of all classes above, as keys.
local function above(class_name)
  local names <const> = {}
  local name = parent(class_name)
  while name do
    names[name] = true
    name = parent(name)
  end
  return names
end

local function check_hierarchy(selector, class_name)
  local parents <const> = above(class_name)
  for other in next, hooked[selector] or {} do
    if other ~= class_name and (parents[other] or above(other)[class_name]) then
      refuse("already_hooked_in_hierarchy",
        "%s is hooked in %s already, and %s is in the same class hierarchy", selector, other,
        class_name)
    end
  end
end

-- Selectors ---------------------------------------------------------------------------------------

local accessors <const> = { get = true, set = true, willSet = true, didSet = true }

--- What has the function that a selector means, and its name there: "owner.get" is `owner` of
--- `Type.get`, and "static.bank()" is `bank()` of `Type.static`.
local function place(class_name, selector)
  local target, name = class(class_name), selector
  local static <const> = string.match(name, "^static%.(.+)$")
  if static then target, name = target.static, static end
  local property <const>, accessor <const> = string.match(name, "^(.+)%.(%a+)$")
  if accessors[accessor] then target, name = target[accessor], property end
  return target, name, static ~= nil
end

local positions <const> = { before = true, after = true, instead = true }

--- Refuses other positions, where the patch calls this module.
local function check_position(position)
  if not positions[position] then
    error(string.format("there is no position '%s': before, after or instead", tostring(position)), 3)
  end
end

--- Adds advice to the method that a selector means, in the class that declares it.
---@param class_name string
---@param selector string  "deposit(_:)", "static.bank()", "balance.didSet"
---@param position "before"|"after"|"instead"
---@param make fun(wanted: table?): function, table?  the advice and its options. `wanted`: the class
---whose objects it is for, if a class above declares the method
---@return table? token  nil if that is not possible
---@return string? problem
function aspects.advise(class_name, selector, position, make)
  check_position(position)
  local owner, wanted = class_name, nil
  while true do
    local is_static = false
    local works <const>, result <const> = pcall(function()
      local target <const>, name <const>, static <const> = place(owner, selector)
      is_static = static
      return target[position](target, name, make(wanted))
    end)
    if works then return result end
    local problem <const> = plain(result)
    local declaring <const> = string.match(problem, "inherits `.-` from `(.-)`")
    if not declaring or declaring == owner or is_static then return nil, problem end
    owner, wanted = declaring, class(class_name)
  end
end

--- "_: Int, to: [String: Int]" -> { "Int", "[String: Int]" }, "_:to:"
local function parameters(list)
  local types <const>, labels <const>, depth, start = {}, {}, 0, 1
  local function add(stop)
    local part <const> = text.strip(string.sub(list, start, stop))
    if part == "" then return end
    local label <const>, name <const> = string.match(part, "^([%w_]+): (.*)$")
    types[#types + 1] = name or part
    labels[#labels + 1] = (label or "_") .. ":"
  end
  for position, mark in string.gmatch(list, "()([%(%)%[%]<>,])") do
    local is_arrow <const> = mark == ">" and string.sub(list, position - 1, position - 1) == "-"
    if mark == "," and depth == 0 then
      add(position - 1)
      start = position + 1
    elseif mark == "(" or mark == "[" or mark == "<" then
      depth = depth + 1
    elseif mark ~= "," and not is_arrow then
      depth = depth - 1
    end
  end
  add(#list)
  return types, table.concat(labels)
end

--- The types of the methods that a selector can mean, from the listing of the class.
---@return { types: string[], result: string }[]
local function signatures(class_name, selector)
  local found <const> = {}
  local is_static <const> = string.find(selector, "^static%.") ~= nil
  local wanted <const> = string.gsub(selector, "^static%.", "")
  for _, member in ipairs(listing(class(class_name)).members) do
    local words <const>, name <const>, list <const>, rest <const> = string.match(member,
      "^(.-)func ([^(]+)(%b())(.*)$")
    if name and (string.find(words, "static ", 1, true) ~= nil) == is_static then
      local base <const> = string.gsub(name, "<.*$", "")
      local types <const>, labels <const> = parameters(string.sub(list, 2, -2))
      if wanted == base or wanted == base .. "(" .. labels .. ")" then
        found[#found + 1] = { types = types, result = string.match(rest, "%-> (.*)$") or "()" }
      end
    end
  end
  return found
end

local function agrees(signature, types, result)
  if types and #types ~= #signature.types then return false end
  for index, name in ipairs(types or {}) do
    if signature.types[index] ~= name then return false end
  end
  return result == nil or result == signature.result
end

--- Refuses what the options `types` and `result` do not describe.
local function check_signature(class_name, selector, options)
  local types <const>, result <const> = options.types, options.result
  if not types and not result then return end
  local found <const> = signatures(class_name, selector)
  for _, signature in ipairs(found) do
    if agrees(signature, types, result) then return end
  end
  local first <const> = found[1]
  if not first then
    refuse("incompatible_signature",
      "the types of %s.%s cannot be checked: write the selector with its labels, like "
      .. "\"deposit(_:)\", or leave `types` and `result` out", class_name, selector)
  end
  refuse("incompatible_signature", "%s.%s is (%s) -> %s; the block expects (%s) -> %s", class_name,
    selector, table.concat(first.types, ", "), first.result,
    table.concat(types or first.types, ", "), result or first.result)
end

-- Blocks ------------------------------------------------------------------------------------------

local function same(a, b)
  for index = 1, math.max(a.n, b.n) do
    if not rawequal(a[index], b[index]) then return false end
  end
  return true
end

--- What advice calls: the block with an invocation.
---@param position string
---@param block fun(info: waxwing.AspectInfo, ...: any): any
---@param concerns (fun(self: any): boolean)?  says which calls the hook is for; nil: all
local function around(position, block, concerns)
  if position == "instead" then
    return function(self, ...)
      if concerns and not concerns(self) then return original(self, ...) end
      local info <const> = { instance = self, arguments = table.pack(...) }
      function info.invoke(this, ...)
        if select("#", ...) > 0 then return original(self, ...) end
        return original(self, table.unpack(this.arguments, 1, this.arguments.n))
      end
      return block(info, ...)
    end
  elseif position == "before" then
    return function(self, ...)
      if concerns and not concerns(self) then return end
      local given <const> = table.pack(...)
      local info <const> = { instance = self, arguments = table.pack(...) }
      block(info, ...)
      if not same(given, info.arguments) then
        return table.unpack(info.arguments, 1, info.arguments.n)
      end
    end
  end
  return function(self, result, ...)
    if concerns and not concerns(self) then return end
    local info <const> = { instance = self, arguments = table.pack(...), result = result }
    block(info, ...)
    if not rawequal(info.result, result) then return info.result end
  end
end

-- Deinitializers ----------------------------------------------------------------------------------

---@class waxwing.AspectDeinitHook
---@field run fun(self: any)?    nil when it has run or is removed
---@field is_gone boolean?       the object it was for has ended

local deinit_field <const> = "aspectsDeinitHooks"
local prepared <const> = {} ---@type table<string, waxwing.AspectDeinitHook[]>  by class

--- The name of the class itself or the nearest one above that is prepared.
local function prepared_class(class_name)
  local name = class_name
  while name and not prepared[name] do name = parent(name) end
  return name
end

local function run_all(hooks, object)
  for _, hook in ipairs { table.unpack(hooks) } do
    local run <const> = hook.run
    if run then
      local works <const>, problem <const> = pcall(run, object)
      if not works then log.error("a hook of deinit failed: " .. tostring(problem)) end
    end
  end
end

--- Lets `deinit` of a class and those below it be hooked, also for single objects and later on.
--- Works while the patch loads: nothing else can be told of a class's deinitializer.
---@param target table  the class
function aspects.prepare_deinit(target)
  local known <const> = type(target) == "table" and listing(target)
  if not known or known.kind ~= "class" then
    error("prepare_deinit takes a class, like class \"Shop.Cell\"", 2)
  end
  local name <const> = tostring(target)
  if prepared_class(name) then return end
  local hooks <const> = {}
  local works <const>, problem <const> = pcall(function()
    target:deinit(function(self)
      if prepared[name] ~= hooks then return end
      run_all(hooks, self)
      local own <const> = self[deinit_field]
      if own then
        run_all(own, self)
        for _, hook in ipairs(own) do hook.run, hook.is_gone = nil, true end
      end
    end)
    target:field(deinit_field)
  end)
  if not works then
    error(string.format("deinit of %s cannot be prepared: %s; of several classes in a hierarchy, "
      .. "prepare the topmost alone", name, plain(problem)), 2)
  end
  prepared[name] = hooks
end

--- Adds a hook of a class's or an object's `deinit`; returns what removes it.
local function hook_deinit(object, class_name, options, block, ended)
  if options.position ~= "before" then
    refuse("dealloc_position", "deinit of %s can be hooked before only", class_name)
  end
  local known <const> = prepared_class(class_name)
  if not known then
    refuse("not_prepared", "deinit of %s is not prepared: write aspects.prepare_deinit(class %q) "
      .. "where the patch loads", class_name, class_name)
  end
  local hooks = prepared[known]
  local wanted <const> = not object and known ~= class_name and class(class_name) or nil
  if object then
    hooks = object[deinit_field] or {}
    object[deinit_field] = hooks
  end
  local is_once <const> = options.automatic_removal and not object
  local hook <const> = {} ---@type waxwing.AspectDeinitHook  it must not hold the object
  local function remove()
    if not hook.run then
      if hook.is_gone then return false, "the object is gone" end
      return false
    end
    hook.run = nil
    for index, other in ipairs(hooks) do
      if other == hook then table.remove(hooks, index) end
    end
    return true
  end
  function hook.run(self)
    if wanted and not is(self, wanted) then return end
    if is_once then
      remove()
      ended()
    end
    block { instance = self, arguments = { n = 0 } }
  end
  hooks[#hooks + 1] = hook
  return remove
end

-- Hooks -------------------------------------------------------------------------------------------

--- Adds the advice. `ended` is called when its one call begins.
local function attach(object, class_name, selector, options, block, ended)
  local once <const> = options.automatic_removal
  local token = nil
  local run = block
  if once then
    run = function(...)
      ended()
      return block(...)
    end
  end
  local added <const>, problem <const> = aspects.advise(class_name, selector, options.position,
    function(wanted)
      if object or not wanted then
        return around(options.position, run), { instance = object, once = once and true or nil }
      end
      -- Advice that is for one call would take the first one, of any object.
      return around(options.position, run, function(self)
        return is(self, wanted) and (not once or token:remove())
      end)
    end)
  if added then
    token = added
    return function() return token:remove() end
  end
  if string.find(problem, "has no %a+ `") then refuse("does_not_respond", "%s", problem) end
  refuse("cannot_be_hooked", "%s", (string.gsub(problem, "is overridden as `.-%.(%a+)%[(.-)%]`",
    function(accessor, property)
      return string.format("is hooked as %q", string.gsub(property, '"', "") .. "." .. accessor)
    end)))
end

--- Hooks a method.
---@param target table|userdata  a class, or one object
---@param selector string        "deposit(_:)", "static.bank()", "balance.didSet", "deinit"
---@param options waxwing.AspectOptions|string|nil  options, or the position alone
---@param block fun(info: waxwing.AspectInfo, ...: any): any
---@return waxwing.AspectToken
function aspects.hook(target, selector, options, block)
  if type(options) == "function" and block == nil then options, block = nil, options end
  if type(options) == "string" then options = { position = options } end
  if options ~= nil and type(options) ~= "table" then
    error(string.format("the options of hook are a table or a position, not a %s",
      type(options)), 2)
  end
  local given <const> = {}
  for key, value in next, options or {} do given[key] = value end
  given.position = given.position or "after"
  check_position(given.position)
  local is_object <const> = type(target) == "userdata"
  if not is_object and type(target) ~= "table" then
    error(string.format("hook takes a class or an object, not a %s", type(target)), 2)
  end
  local known <const> = listing(is_object and class(target) or target)
  local class_name <const> = known and known.name
  if not class_name then
    error(string.format("hook takes a class or an object, not `%s`; accessors and static methods "
      .. "are in the selector, like \"balance.didSet\" and \"static.bank()\"", tostring(target)), 2)
  end
  if type(selector) ~= "string" then
    error(string.format("hook takes a selector like \"deposit(_:)\", not a %s", type(selector)), 2)
  end
  if type(block) ~= "function" then
    refuse("missing_block", "%s is hooked with a %s", selector, type(block))
  end
  if blacklist[selector] then refuse("selector_blacklisted", "%s cannot be hooked", selector) end
  local object <const> = is_object and target or nil
  local is_counted = false
  local function ended()
    if is_counted then count(selector, class_name, -1) end
    is_counted = false
  end
  if given.exclusive and not is_object then check_hierarchy(selector, class_name) end
  local remove
  if selector == "deinit" then
    remove = hook_deinit(object, class_name, given, block, ended)
  else
    check_signature(class_name, selector, given)
    remove = attach(object, class_name, selector, given, block, ended)
  end
  if not is_object then
    count(selector, class_name, 1)
    is_counted = true
  end
  return {
    selector = selector,
    class = class_name,
    remove = function()
      local was_there <const>, reason <const> = remove()
      ended()
      return was_there, reason
    end,
  }
end

return aspects
