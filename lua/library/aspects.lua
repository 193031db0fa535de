-- SPDX-License-Identifier: MIT
--
-- Hooks of methods in the manner of Aspects by Peter Steinberger: on a class or on one object, before,
-- after or instead, with an invocation and a token.

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
---@field invoke fun(self: waxwing.AspectInfo, ...: any): any ...  instead: calls the original, with the
---call's arguments if none are given

---@class waxwing.AspectToken
---@field selector string
---@field class string
---@field remove fun(self: waxwing.AspectToken): boolean, string?  false if it is removed already; and
---"the object is gone"

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

--- The hooks that are there: by selector, the names of classes and how many hooks they have.
local hooked <const> = {}

local function count(selector, class_name, difference)
  local classes <const> = hooked[selector] or {}
  hooked[selector] = classes
  classes[class_name] = (classes[class_name] or 0) + difference
  if classes[class_name] <= 0 then classes[class_name] = nil end
end

--- The names of the classes above.
local function above(class_name)
  local names <const> = {}
  local name = typeof(class(class_name)).superclass
  while name do
    names[name] = true
    local works <const>, found <const> = pcall(class, name)
    name = works and typeof(found).superclass or nil
  end
  return names
end

local function check_hierarchy(selector, class_name)
  local parents <const> = above(class_name)
  for other in next, hooked[selector] or {} do
    if other ~= class_name and (parents[other] or above(other)[class_name]) then
      refuse("already_hooked_in_hierarchy",
        "%s is hooked in %s already, and %s is in the same class hierarchy", selector, other, class_name)
    end
  end
end

-- Signatures --------------------------------------------------------------------------------------

--- "_: Int, to: [String: Int]" -> { "Int", "[String: Int]" }
local function parameter_types(list)
  local types <const>, depth, start = {}, 0, 1
  local function add(stop)
    local part <const> = text.strip(string.sub(list, start, stop))
    if part ~= "" then types[#types + 1] = string.match(part, "^[%w_]+: (.*)$") or part end
  end
  for position, mark in string.gmatch(list, "()([%(%)%[%]<>,])") do
    if mark == "," and depth == 0 then
      add(position - 1)
      start = position + 1
    elseif mark == "(" or mark == "[" or mark == "<" then
      depth = depth + 1
    elseif mark ~= "," and not (mark == ">" and string.sub(list, position - 1, position - 1) == "-") then
      depth = depth - 1
    end
  end
  add(#list)
  return types
end

--- The parameters' types and the result's of a method, from the listing of its class.
local function signature(class_name, selector)
  local base <const>, labels <const> = string.match(selector, "^([^(]+)%(?(.*)$")
  for _, member in ipairs(typeof(class(class_name)).members) do
    local name <const>, list <const>, rest <const> = string.match(member, "func ([^(]+)(%b())(.*)$")
    if name == base then
      local types <const> = parameter_types(string.sub(list, 2, -2))
      local _, wanted <const> = string.gsub(labels, ":", "")
      if #types == wanted then return types, string.match(rest, "%-> (.*)$") or "()" end
    end
  end
end

local function check_signature(class_name, selector, options)
  if not options.types and not options.result then return end
  local types <const>, result <const> = signature(class_name, selector)
  if not types then return end
  local expected <const> = options.types or types
  local is_same = #expected == #types and (options.result or result) == result
  for index, name in ipairs(expected) do is_same = is_same and types[index] == name end
  if not is_same then
    refuse("incompatible_signature", "%s.%s is (%s) -> %s; the block expects (%s) -> %s", class_name, selector,
      table.concat(types, ", "), result, table.concat(expected, ", "), options.result or result)
  end
end

-- Blocks ------------------------------------------------------------------------------------------

local function same(a, b)
  for index = 1, math.max(a.n, b.n) do
    if not rawequal(a[index], b[index]) then return false end
  end
  return true
end

--- What advice calls: the block with an invocation. `wants`: nil, or the class whose objects it is for,
--- where a class above declares the method.
local function around(position, block, wants)
  if position == "instead" then
    return function(self, ...)
      if wants and not is(self, wants) then return original(self, ...) end
      local info <const> = { instance = self, arguments = table.pack(...) }
      function info.invoke(this, ...)
        if select("#", ...) > 0 then return original(self, ...) end
        return original(self, table.unpack(this.arguments, 1, this.arguments.n))
      end
      return block(info, ...)
    end
  elseif position == "before" then
    return function(self, ...)
      if wants and not is(self, wants) then return end
      local given <const> = table.pack(...)
      local info <const> = { instance = self, arguments = table.pack(...) }
      block(info, ...)
      if not same(given, info.arguments) then
        return table.unpack(info.arguments, 1, info.arguments.n)
      end
    end
  end
  return function(self, result, ...)
    if wants and not is(self, wants) then return end
    local info <const> = { instance = self, arguments = table.pack(...), result = result }
    block(info, ...)
    if not rawequal(info.result, result) then return info.result end
  end
end

-- Deinitializers ------------------------------------------------------------------------------------

local deinit_field <const> = "aspectsDeinitHooks"
local prepared <const> = {} ---@type table<string, function[]>  class name to hooks of the class

--- Lets `deinit` of a class be hooked, also for single objects and later on. Works while the patch
--- loads: nothing else can be told of a class's deinitializer.
---@param target table  the class
function aspects.prepare_deinit(target)
  local name <const> = tostring(target)
  if prepared[name] then return end
  prepared[name] = {}
  target:field(deinit_field)
  target:deinit(function(self)
    local own <const> = self[deinit_field]
    for _, hooks in ipairs { prepared[name], own or {} } do
      for _, hook in ipairs { table.unpack(hooks) } do hook(self) end
    end
  end)
end

local function hook_deinit(object, class_name, options, block)
  if options.position ~= "before" then
    refuse("dealloc_position", "deinit of %s can be hooked before only", class_name)
  end
  if not prepared[class_name] then
    refuse("not_prepared", "deinit of %s is not prepared: write aspects.prepare_deinit(class %q) where the "
      .. "patch loads", class_name, class_name)
  end
  local hooks = prepared[class_name]
  if object then
    hooks = object[deinit_field] or {}
    object[deinit_field] = hooks
  end
  local function run(self)
    block { instance = self, arguments = { n = 0 } }
  end
  hooks[#hooks + 1] = run
  return function()
    for index, other in ipairs(hooks) do
      if other == run then
        table.remove(hooks, index)
        return true
      end
    end
    return false
  end
end

-- Hooks -------------------------------------------------------------------------------------------

--- Adds the advice, in the class that declares the method.
local function attach(object, class_name, selector, position, block, once)
  local owner, wants = class_name, nil
  while true do
    local works <const>, result <const> = pcall(function()
      local target <const> = class(owner)
      return target[position](target, selector, around(position, block, wants), {
        instance = object, once = once or nil,
      })
    end)
    if works then return result end
    local problem <const> = string.gsub(tostring(result), "^[^:]*:%d+: ", "")
    local parent <const> = string.match(problem, "inherits `.-` from `(.-)`")
    if parent and parent ~= owner then
      owner = parent
      if not object then wants = class(class_name) end
    elseif string.find(problem, "has no function", 1, true) or string.find(problem, "has no method", 1, true) then
      refuse("does_not_respond", "%s", problem)
    else
      refuse("cannot_be_hooked", "%s", problem)
    end
  end
end

local positions <const> = { before = true, after = true, instead = true }

--- Hooks a method.
---@param target table|userdata  a class, or one object
---@param selector string        "deposit(_:)"; "deinit"
---@param options waxwing.AspectOptions|string|nil  options, or the position alone
---@param block fun(info: waxwing.AspectInfo, ...: any): any
---@return waxwing.AspectToken
function aspects.hook(target, selector, options, block)
  if type(options) == "function" and block == nil then options, block = nil, options end
  if type(options) == "string" then options = { position = options } end
  local given <const> = {}
  for key, value in next, options or {} do given[key] = value end
  given.position = given.position or "after"
  if not positions[given.position] then
    error(string.format("there is no position '%s': before, after or instead", tostring(given.position)), 2)
  end
  local is_object <const> = type(target) == "userdata"
  if not is_object and type(target) ~= "table" then
    error(string.format("hook takes a class or an object, not a %s", type(target)), 2)
  end
  if type(selector) ~= "string" then
    error(string.format("hook takes a selector like \"deposit(_:)\", not a %s", type(selector)), 2)
  end
  if type(block) ~= "function" then refuse("missing_block", "%s is hooked with a %s", selector, type(block)) end
  if blacklist[selector] then refuse("selector_blacklisted", "%s cannot be hooked", selector) end
  local class_name <const> = is_object and typeof(target).name or tostring(target)
  local object <const> = is_object and target or nil
  local is_counted = not object
  local function uncount()
    if is_counted then count(selector, class_name, -1) end
    is_counted = false
  end
  local remove
  if selector == "deinit" then
    remove = hook_deinit(object, class_name, given, block)
  else
    if given.exclusive and not object then check_hierarchy(selector, class_name) end
    check_signature(class_name, selector, given)
    local run = block
    if given.automatic_removal then
      run = function(...)
        uncount()
        return block(...)
      end
    end
    local token <const> = attach(object, class_name, selector, given.position, run, given.automatic_removal)
    remove = function() return token:remove() end
  end
  if is_counted then count(selector, class_name, 1) end
  return {
    selector = selector,
    class = class_name,
    remove = function()
      local was_there <const>, reason <const> = remove()
      uncount()
      return was_there, reason
    end,
  }
end

return aspects
