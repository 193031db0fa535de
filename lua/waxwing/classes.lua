-- SPDX-License-Identifier: MIT
--
-- Classes of the script's: what `class` does that gets more than a name.

-- `made_classes` has the type objects by name, `class_numbers` their numbers by type object;
-- `conforming` gives what `conform.lua` makes.
local host <const>, prelude <const>, made_classes <const>, class_numbers <const>,
  is_type_object <const>, conforming <const> = ...
local check_name <const>, declare_field <const>, type_object_name <const>, with_type_object <const>,
  without_type_object <const>, reserved_parts <const> = prelude.check_name, prelude.declare_field,
  prelude.type_object_name, prelude.with_type_object, prelude.without_type_object,
  prelude.reserved_parts

--- What `host.subclass` takes for a superclass.
local function superclass_of(name, superclass)
  if superclass == nil or type(superclass) == "string" then
    return made_classes[superclass] and class_numbers[made_classes[superclass]] or superclass
  end
  local known <const> = class_numbers[superclass] or type_object_name(superclass)
  if known and not string.find(known, "^module ") then return known end
  error(string.format("the superclass of `%s` is a class or its name, not %s", name,
    type(superclass) == "table" and "a table" or "a " .. type(superclass)), 3)
end

local unfinished <const> = {
  __close = function(object) host.class_finish(object[1]) end,
}

--- Makes an object: allocates it and has `init` set it up.
local function construct(title, number, init, ...)
  local self <const> = host.class_instance(number)
  local _ <close> = setmetatable({ self }, unfinished)
  local results <const> = table.pack(init(self, ...))
  if results.n > 0 and results[1] == nil then return nil end
  local is_made <const> = host.class_finish(self)
  if is_made == nil then
    error(string.format("the initializer of %s did not call self.super:init(…)", title), 2)
  end
  return is_made and self or nil
end

--- Of one class: what it gives for the requirements of its protocols.
---@class waxwing.MadeClass
---@field number integer
---@field title string
---@field type_object table
---@field parent waxwing.MadeClass?
---@field place string               where it was made
---@field protocols string[]?        until it conforms to them
---@field types { name: string, type: string }[]
---@field getters table<string, function>    of static properties
---@field setters table<string, function>
---@field functions table<string, waxwing.GivenFunction>  by lines such as "static method make"
local made <const> = {} ---@type waxwing.MadeClass[]

local calls_by_name <const> = {
  method = function(name) return function(self, ...) return self[name](self, ...) end end,
  getter = function(name) return function(self) return self[name] end end,
  setter = function(name) return function(self, value) self[name] = value end end,
}

--- By class: the lines for which a class below has a function of its own.
---@return table<waxwing.MadeClass, table<string, true>>
local function lines_below()
  local below <const> = {}
  for _, class in ipairs(made) do below[class] = {} end
  -- A class stands behind its superclass. What is noted of a class is noted of those above it.
  for index = #made, 1, -1 do
    local class <const> = made[index]
    for line in next, class.functions do
      local above = class.parent
      while above and not below[above][line] do
        below[above][line] = true
        above = above.parent
      end
    end
  end
  return below
end

--- Lets a class conform to its protocols.
---@param is_below table<string, true>  the lines for which a class below has a function
local function declare_protocols(class, protocols, is_below)
  local given <const> = {}
  for line, each in next, class.functions do
    local call <const> = is_below[line] and calls_by_name[each.kind]
    given[#given + 1] = { kind = each.kind, static = each.static, name = each.name,
      f = call and call(each.name) or each.f }
  end
  for _, protocol in ipairs(protocols) do
    local succeeded <const>, message <const> = pcall(conforming().declare, "#" .. class.number,
      protocol, given, class.types, true)
    if not succeeded then error(class.place .. tostring(message), 0) end
  end
end

--- Lets the classes conform to their protocols: all of their functions are known now.
local function finish_classes()
  local below
  for _, class in ipairs(made) do
    local protocols <const> = class.protocols
    class.protocols = nil
    if protocols then
      below = below or lines_below()
      declare_protocols(class, protocols, below[class])
    end
  end
end
host.at_end(finish_classes)

--- The names of protocols, checked.
local function check_protocols(name, protocols)
  if protocols == nil then return nil end
  if type(protocols) ~= "table" then
    error(string.format("the protocols of `%s` are a table of names, not a %s", name,
      type(protocols)), 3)
  end
  for _, protocol in ipairs(protocols) do check_name(protocol, 3) end
  return #protocols > 0 and table.move(protocols, 1, #protocols, 1, {}) or nil
end

--- The static getter or setter of the nearest class in Lua that has one of this name.
---@param above integer?  only those above this class
local function static_accessor(kind, number, name, above)
  local class = above and made[above + 1].parent or not above and made[number + 1] or nil
  while class do
    if class[kind][name] then return class[kind][name] end
    class = class.parent
  end
end

--- What a class has of a static name that is not its own, called on it.
---@param above integer?  the class whose superclass it is seen as; nil: it is seen as itself
---@param called table     what the caller has for the class
local function inherited_static(number, name, above, called)
  local getter <const> = static_accessor("getters", number, name, above)
  if getter then return getter(made[number + 1].type_object) end
  local value <const>, what <const> = host.class_static(number, name, above)
  if what == "getter" then return value() end
  local type_object <const> = made[number + 1].type_object
  if what == "added static" then return with_type_object(value, type_object, called) end
  return without_type_object(value, type_object, called)
end

--- Sets a static property of that name.
local function set_inherited(number, name, above, title, value)
  local own <const> = static_accessor("setters", number, name, above)
  if own then return own(made[number + 1].type_object, value) end
  local setter <const> = type(value) ~= "function"
    and host.class_static_setter(number, name, above)
  if not setter then
    error(string.format("%s has no static property `%s` that can be set, and a method is a "
      .. "function, not a %s", title, name, type(value)), 3)
  end
  setter(value)
end

--- `self.super` of a static function that the class `above` has, called on the class `number`.
local function make_static_super(number, above)
  return setmetatable({}, {
    __metatable = false,
    __name = made[above + 1].title .. ".super",
    __index = function(super, member)
      check_name(member, 2)
      return inherited_static(number, member, above, super)
    end,
    __newindex = function(_, member, value)
      check_name(member, 2)
      set_inherited(number, member, above, made[above + 1].title .. ".super", value)
    end,
  })
end

--- By the class that has the function, then by the one that it is called on.
local views <const> = {} ---@type table<integer, table<integer, table>>

--- What a static function of the class `above` gets for the class that it is called on: that, with
--- a `super` that is the superclass of the class which has the function. It equals the class.
local function seen_from(above, class)
  local number <const> = class_numbers[class]
  if not number or number == above then return class end
  views[above] = views[above] or {}
  if views[above][number] then return views[above][number] end
  local view <const>, super <const> = {}, make_static_super(number, above)
  class_numbers[view] = number
  views[above][number] = view
  return setmetatable(view, {
    __metatable = false,
    __eq = function(a, b)
      return class_numbers[a] ~= nil and class_numbers[a] == class_numbers[b]
    end,
    __name = made[number + 1].title,
    __tostring = function() return tostring(class) end,
    __call = function(_, ...) return class(...) end,
    __index = function(_, member)
      if member == "super" then return super end
      return class[member]
    end,
    __newindex = function(_, member, value) class[member] = value end,
  })
end

--- A table to which functions of one kind are assigned.
---@param find? fun(name: string, own: function?): any  what it has of a name besides its own, or
---gives for that
---@param call? function  what calling it does
---@param lines table<string, waxwing.GivenFunction>  the same, by lines
local function class_part(title, number, kind, static, functions, lines, find, call)
  local part <const> = {}
  is_type_object[part] = title
  return setmetatable(part, {
    __metatable = false,
    __name = title,
    __tostring = function() return title end,
    __call = call,
    __index = function(_, name)
      check_name(name, 2)
      if find then return find(name, functions[name]) end
      return functions[name]
    end,
    __newindex = function(_, name, f)
      check_name(name, 2)
      if type(f) ~= "function" then
        if find then return set_inherited(number, name, nil, title, f) end
        error(string.format("`%s` of %s is a function, not a %s", name, title, type(f)), 2)
      end
      if static then
        local own <const> = f
        f = function(class, ...) return own(seen_from(number, class), ...) end
      end
      host.class_function(number, kind, static, name, f, function(self, ...)
        return f(host.unwrap_super(self), ...)
      end)
      functions[name] = f
      lines[(static and "static " or "") .. kind .. " " .. name] = {
        kind = kind, static = static, name = name, f = f,
      }
    end,
  })
end

--- Makes a class with methods that are written in Lua.
---@param name string
---@param superclass table|string|nil  what `class` gave, or a name; nil: none
---@param protocols string[]?
---@param options { types: table<string, string|table> }?  what associated types are
local function make_class(name, superclass, protocols, options)
  if not string.match(name, "^[%a_][%w_]*$") then
    error(string.format("the name of a class is a word, not `%s`", name), 2)
  end
  protocols = check_protocols(name, protocols)
  local parent <const> = superclass_of(name, superclass)
  local number <const>, title <const> = host.subclass(name, parent, { nil, false },
    protocols ~= nil)
  local lines <const>, _, place <const> = {}, pcall(error, "", 3)
  local type_object <const> = {}
  made[#made + 1] = {
    number = number, title = title, type_object = type_object,
    parent = type(parent) == "number" and made[parent + 1] or nil,
    place = place, protocols = protocols, functions = lines, getters = {}, setters = {},
    types = options and options.types and conforming().named_types(options.types) or {},
  }

  local initialize = function(self, ...) self.super:init(...) end
  -- Its functions are found by what runs: it must not be left by a tail call.
  local function init(self, ...)
    local results <const> = table.pack(initialize(self, ...))
    return table.unpack(results, 1, results.n)
  end
  host.class_function(number, "init", false, "init", init, init)

  local static_functions <const>, functions <const> = {}, {}
  local static
  -- The superclass's static members, called on this class.
  local static_super <const> = make_static_super(number, number)
  local static_parts <const> = {
    get = class_part(title .. ".static.get", number, "getter", true,
      made[number + 1].getters, lines),
    set = class_part(title .. ".static.set", number, "setter", true,
      made[number + 1].setters, lines),
  }
  static = class_part(title .. ".static", number, "method", true, static_functions,
    lines, function(member, own)
      if own then return with_type_object(own, type_object, static) end
      if static_parts[member] then return static_parts[member] end
      if member == "super" then return static_super end
      if member == "type" then return type_object end
      return inherited_static(number, member, nil, static)
    end, function(_, ...) return construct(title, number, init, ...) end)
  local parts <const> = {
    get = class_part(title .. ".get", number, "getter", false, {}, lines),
    set = class_part(title .. ".set", number, "setter", false, {}, lines),
    static = static,
  }
  --- Ours, unless the superclass has a static value of the name.
  local is_ours <const> = {}
  local function find_part(member)
    if is_ours[member] then return parts[member] end
    local getter <const>, what <const> = host.own_class_static(number, member)
    if what == "getter" then return getter() end
    is_ours[member] = true
    return parts[member]
  end
  reserved_parts[type_object] = { parts = parts, title = title }
  function parts.field(_, field, default)
    declare_field(field, default, function(...) host.class_field(number, ...) end)
  end
  local own <const> = class_part(title, number, "method", false, functions, lines)
  class_numbers[type_object], class_numbers[static] = number, number
  is_type_object[type_object] = title
  made_classes[name] = setmetatable(type_object, {
    __metatable = false,
    __name = title,
    __tostring = function() return title end,
    __call = function(_, ...) return construct(title, number, init, ...) end,
    __index = function(_, member)
      check_name(member, 2)
      if parts[member] then return find_part(member) end
      if member == "super" then return static_super end
      local f <const> = functions[member]
      if f then return f end
      if static_functions[member] then
        return with_type_object(static_functions[member], type_object, static)
      end
      return inherited_static(number, member, nil, static)
    end,
    __newindex = function(_, member, f)
      check_name(member, 2)
      if parts[member] or member == "super" then
        error(string.format("`%s` has a meaning of its own in %s", member, title), 2)
      end
      if type(f) ~= "function" then
        set_inherited(number, member, nil, title, f)
      elseif member == "init" then
        initialize = f
      elseif member == "deinit" then
        host.class_function(number, "deinit", false, member, f, f)
      else
        own[member] = f
      end
    end,
  })
  host.class_object(number, type_object, static)
  return type_object
end

return make_class
