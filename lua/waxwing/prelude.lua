-- SPDX-License-Identifier: MIT
--
-- What a patch sees: `class`, `module`, `patch`, `waxClass`, `log`, `throw`, `null`, `require`.
-- The chunk gets the engine's own functions and makes the environment that the patch runs in.

---@alias waxwing.Kind "method"|"getter"|"setter"|"willSet"|"didSet"

--- Where a name is looked for.
---@class waxwing.Scope
---@field kind "type"|"static"|"module"
---@field name string

--- What a class is to conform to, and with what.
---@class waxwing.Conformance
---@field type string                            `#3`: a class of the script's
---@field protocol string
---@field members waxwing.GivenFunction[]        without the functions
---@field types { name: string, type: string }[]  what associated types are
---@field is_lenient boolean                     functions that are no requirements are left alone

--- A requirement that a Lua function is needed for: one that is given, or one that calls a member.
---@class waxwing.NeededFunction
---@field place integer
---@field given integer?   its place among the members
---@field forward string?  how the member is called
---@field name string?     of the member

---@class waxwing.Host
---@field class fun(name: string): string, string   canonical name of a type, and its title
---@field module fun(name: string): string            canonical name of a module
---@field global fun(name: string): string?, string?  "type" or "module", and its canonical name
---@field import fun(name: string): string            loads a library; the name of its module
---@field type_object fun(name: string, type_object: table, static: table)  what stands for a type
---@field type_object_maker fun(make: fun(name: string): table)  how the host makes them
---@field initializer fun(name: string): function     makes instances of a type
---@field override fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string, f: function)
---@field withdraw fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string)  ends the override,
---in a shell
---@field original fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string): function
---@field super fun(type: string, seen_as: string?): string  the name of a class's superclass, as
---static members have it
---@field super_member fun(type: string, superclass: string, name: string): function, string?
---what the superclass has of this static name, called on the type; "getter": to be called for it
---@field super_setter fun(type: string, superclass: string, name: string): function?
---sets the superclass's static property of this name, called on the type
---@field running fun(...): any ...                  calls the original of the running override
---@field captured fun(name: string|integer): any    what the closure has captured that runs
---@field captures fun(): (string|integer)[], string  names of all that; as text
---@field member fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string): any, string?  see
---`fetch`
---@field own_member fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string): any, string?  the
---same; nothing where there is no such member
---@field fits_static fun(scope: waxwing.Scope, name: string, ...): boolean  whether the static
---functions of this name take the arguments
---@field field fun(type: string, name: string, default: table)
---@field method fun(scope: waxwing.Scope, name: string, f: function, of_super: function)
---@field subclass fun(name: string, superclass: string|integer|nil, none: table,
---has_protocols: boolean): integer, string
---makes a class; its number and title; none: the description of a field that is nil
---@field at_end fun(f: function)                     called when the script has loaded
---@field class_object fun(class: integer, type_object: table, static: table)  what stands for it
---@field class_function fun(class: integer, kind: string, static: boolean, name: string,
---f: function, of_super: function)
---@field class_field fun(class: integer, name: string, default: table)
---@field class_static fun(class: integer, name: string, above: integer?): function, string?
---what it has besides its own; above: seen as the superclass of that class; "getter": to be called
---for it
---@field own_class_static fun(class: integer, name: string): function?, string?  the same; nothing
---where there is nothing
---@field class_static_setter fun(class: integer, name: string, above: integer?): function?
---sets what it has of this static name
---@field class_instance fun(class: integer): userdata  an object that no initializer has made yet
---@field class_finish fun(object: userdata): boolean?  whether it is initialized; nil: that was not
---tried, and it is freed
---@field deinit fun(type: string, f: function)        in place of what frees its objects
---@field on fun(event: string, f: function)
---@field await fun(module: string, f: function): boolean  whether it is there; if not, f is kept
---@field version fun(name: string): integer          of a type or module
---@field unwrap_super fun(part: userdata): userdata         the object that `super` gives a part of
---@field typeof fun(value: any, all: boolean): table|string  what there is to say of a Swift
---value's type; all: also what the libraries' protocols give it
---@field type_briefly fun(value: any, name: string?): table|string, any  its name, kind and
---  superclass, and the type
---@field complete_type fun(type: any): table       all there is to say of that
---@field type_object_of fun(value: userdata): any   of its type
---@field is_of fun(value: any, type_object: table): boolean?  whether it is of this type; nil: its
---  name tells
---@field type_name fun(value: userdata): string?    of its type, as `class` takes it
---@field typeNamed fun(name: string, all: boolean): table  the same of a type by its name
---@field moduleNamed fun(name: string): table        what there is to say of a module
---@field is fun(value: any, name: string): boolean  whether it is of this type, or of a class
---below it
---@field globals fun(start: string): string[]        types and modules whose names begin so
---@field objects fun(): table<string, integer>
---@field setter fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string): function?
---@field log fun(level: string, message: string, fields: table?)
---@field answer fun(question: string, f: fun(number: integer, ...))  `f` answers what the engine
---asks of its own scripts
---@field reply fun(number: integer, reply: any, failure: string?): boolean  to a message or a
---question; whether anybody waited
---@field ask fun(name: string, text: string): string?, string?  waits for the reply of the client
---that handles the name; nil, and why there is none
---@field clock fun(wall: boolean): number           seconds since 1970, or of a steady clock
---@field visible fun(text: string): string           without what would steer a terminal
---@field source fun(name: string): function?, string?  the module of this name, compiled, and the
---whole name if it is the library's; nil, and where it was looked for
---@field part_of fun(value: userdata, name: string): any  what it has besides its type's members
---@field parts fun(value: any): any ...         a struct's properties, an enum's payload
---@field repack fun(value: any, properties: table): any  a struct of stored properties
---@field live fun(object: any, name: string): any  a collection property, not a copy of it
---@field reveal fun(value: any): string?         what is in an object, with properties that change
---@field copy fun(value: any, is_lenient: boolean?): any
---@field point fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string, instance: any): integer
---@field layout fun(point: integer): boolean, boolean, boolean, integer[], function
---@field instead fun(point: integer, f: function, advice: userdata)
---@field observe fun(point: integer, f: function, advice: userdata, is_after: boolean,
---own: function)  own: the piece's function
---@field attach fun(point: integer, nothing: nil, advice: userdata, is_after: boolean,
---own: function)
---@field settle fun(point: integer, advice: userdata)  a piece has ended
---@field failed fun(advice: userdata, error: any): boolean  whether it is to be thrown
---@field fits fun(advice: userdata, is_result: boolean, ...): string?  what is wrong with values
---@field parallel fun(): string?                  of a parallel patch: "loading" or "running"
---@field labels fun(): string[]                      of the tuple that the running function returns
---@field returns_self fun(): boolean                 whether its results end with its new self
---@field conform fun(conformance: waxwing.Conformance): integer, waxwing.NeededFunction[]  declares
---a conformance
---@field witness fun(conformance: integer, requirement: integer, f: function)
---@field hash_value fun(object: any): integer        of an object that is Hashable
---@field near fun(name: string, known: string): string  a suggestion for messages, or ""
---@field null userdata
---@field start fun(body: function, where: string, seconds: number): integer  runs `body`, which
---raises nothing, as a task, later, after so many seconds; at once when it is cancelled before
---@field cancel fun(task: integer)
---@field join fun(task: integer)                     waits until it has finished
---@field children fun(functions: function[], mode: string)  runs them as child tasks and waits for
---all; the others are cancelled when one returns true
---@field sleep fun(seconds: number)                  waits
---@field is_cancelled fun(): boolean                 whether the running task is
---@field is_cancellation fun(error: any): boolean    whether it is a CancellationError of Swift's
---@field may_wait fun(): boolean
---@field each fun(sequence: any): function, any      waits for the next element; nil at the end
---@field continuation fun(): integer
---@field suspend fun(continuation: integer)          waits until `resume` was called
---@field resume fun(continuation: integer)
---@field task_failed fun(error: any, traceback: string)  reports what nobody waits for
---@field trace fun(error: any): string, any          where it was raised, for a message handler;
---and what `raise` has to know of it
---@field raise fun(error: any, mark: any)            raises an error as if it had not been caught
---@field await_key userdata                          what a wait yields first
---@field expression fun(name: string): function    an operator's, "key" or "when", compiled
---@field callers fun(most: integer): integer[]  addresses where the running override was called,
---the innermost first
---@field masked fun(scope: waxwing.Scope, kind: waxwing.Kind, name: string): table, boolean  by
---place, which arguments of a function nobody is shown; whether that goes for its results
---@field stand_in fun(original: function)           it is called for originals, by whatever name
---@field refused fun(): integer, string  how often this shadow was refused an effect, and what last
---@field expression_failed fun()              an operator's expression has told nothing of a call
---@field replaying fun(): boolean                   whether this thread makes a call again
---@type waxwing.Host, boolean, fun(name: string): function, waxwing.Selection?, string?
local host <const>, full <const>, part <const>, selection <const>, purpose <const> = ...

--- Whether somebody types into a live program.
local attached <const> = purpose == "shell"

-- Each of the host's functions is made when it is first asked for.
setmetatable(host, { __index = _G["waxwing.host"] })
_G["waxwing.host"] = nil

local environment <const> = {}

-- Parts -----------------------------------------------------------------------------------------

-- Most patches use little of what there is. The rest is in files of their own, the parts, each of
-- which is loaded when something of it is called for the first time. Until then stubs stand for its
-- functions. They call them by tail calls: what is called sees its caller's position, as ever.

--- Puts stubs for functions of a part into a table.
---@param names string
---@param load fun(): table<string, function>  loads the part
local function provide(target, names, load)
  local stubs <const> = {}
  local made
  for name in string.gmatch(names, "%S+") do
    stubs[name] = function(...)
      if not made then
        made = load()
        for own, stub in next, stubs do
          if rawequal(rawget(target, own), stub) then rawset(target, own, made[own]) end
        end
      end
      return made[name](...)
    end
    target[name] = stubs[name]
  end
end

local advice_library <const> = _G["waxwing.advice"]
_G["waxwing.advice"] = nil -- its functions trust their callers

--- As `pcall`, with a budget of its own; nil and a text: it was stopped by that limit.
---@type fun(f: function, ...): boolean?, any ...
local separately <const> = _G["waxwing.separately"]
_G["waxwing.separately"] = nil

--- Adds advice: (scope, kind, name, what, f, options) -> token
local advise
advise = function(...)
  advise = part("advice")(host, advice_library)
  return advise(...)
end

--- Of a patch that does not take part in all calls: what `selection.lua` makes. It is loaded with
--- the first override, when the environment is complete.
local selecting_part

local function selecting()
  selecting_part = selecting_part
    or part("selection")(host, selection, part("describe")(),
      { separately = separately, thread = advice_library.thread })
  return selecting_part
end

--- Refuses what such a patch cannot have, as it is there for all calls.
local function check_selects_nothing(what, level)
  if selection then
    error(string.format("%s is there for all calls: apply the patch without --calls, --when or "
      .. "--key, and not as a shadow or for a replay", what), level + 1)
  end
end

--- A struct or enum that was read from `owner[key]`, where that is a table: a change of it in the
--- same expression sets the property.
---@type fun(owner: table, key: string, copy: any): any
local connect <const> = _G["waxwing.connect"]

-- Faces ---------------------------------------------------------------------------------------

-- A type object is a table that stands for a type or a module.
local type_objects <const> = {}

-- Faces and what they consist of: what is written to them has a meaning.
local is_type_object <const> = setmetatable({}, { __mode = "k" })

local ORIG <const> = "^ORIG(.+)$"

-- Bytes: those of the standard library's longest declarations are below.
local longest_name <const> = 2000

local function check_name(name, level)
  if type(name) ~= "string" then
    error("a Swift name is a string, not a " .. type(name), level + 1)
  end
  if #name > longest_name then
    error(string.format("a Swift name of %d bytes is too long: %s…", #name,
      string.sub(name, 1, 40)), level + 1)
  end
end

--- `f` for calls with `.` and with `:`, where the type object is no argument of its own, unless the
--- function takes types: then what fits tells whether it is one.
---@param fits (fun(...): boolean)?  whether the function takes these arguments
local function without_type_object(f, type_object, static, fits)
  return function(...)
    local first <const> = ...
    if first ~= nil and (rawequal(first, type_object) or rawequal(first, static)) then
      if fits and fits(...) then
        if not fits(select(2, ...)) then return f(...) end
        error("the type may be an argument here, or what the function is called on: write "
          .. "Type:f(Type) if it is an argument, and Type.f() if it is not", 2)
      end
      return f(select(2, ...))
    end
    return f(...)
  end
end

--- `f` for calls with `.` and with `:`: it gets the type object in any case.
local function with_type_object(f, type_object, static)
  return function(...)
    local first <const> = ...
    if first ~= nil and (rawequal(first, type_object) or rawequal(first, static)) then
      return f(type_object, select(2, ...))
    end
    return f(type_object, ...)
  end
end

local makes_case <const> = setmetatable({}, { __mode = "k" })

--- What a function that is kept in `getters` gives. A case of an enum is a new value: to change it
--- sets nothing.
local function from_getter(type_object, name, getter)
  if makes_case[getter] then return getter() end
  return connect(type_object, name, getter())
end

--- What the host has of this name. Functions and type objects are kept in `members`; a property is
--- asked for each time, with a function that is kept in `getters`.
---@param find function?  what asks the host, if it is not to raise where there is nothing
---@param kept table?      where functions and type objects are kept, if not in `members`
local function fetch(type_object, scope, kind, name, members, getters, find, kept)
  local value, what, takes_type = (find or host.member)(scope, kind, name)
  if what == "getter" or what == "case" then
    getters[name] = value
    if what == "case" then makes_case[value] = true end
    return from_getter(type_object, name, value)
  elseif what == "type" then
    value = environment.class(value)
  elseif what == "static" then
    value = without_type_object(value, type_object, members.static,
      takes_type and function(...) return host.fits_static(scope, name, ...) end or nil)
  elseif what == "added static" then
    return with_type_object(value, members.type or type_object, members.static or type_object)
  elseif what == "added" then
    return value -- not kept: a subclass may yet get one of its own
  end
  -- A value is a copy each time.
  if type(value) ~= "userdata" then (kept or members)[name] = value end
  return value
end

local advice <const> = { before = true, after = true, instead = true }

--- `Type:before(name, f, options)` and the like. Where Swift has a function of that name, calls
--- that cannot be meant so are calls of it.
---@param own function?  Swift's function
local function advice_function(type_object, scope, kind, title, what, own)
  return function(...)
    local first <const>, name <const>, f <const>, options <const> = ...
    local is_advice <const> = rawequal(first, type_object)
    if own and not (is_advice and type(f) == "function") then return own(...) end
    check_selects_nothing("advice", 2)
    if not is_advice then
      error(string.format("call it with `:`, as %s:%s(name, f)", title, what), 2)
    end
    check_name(name, 2)
    local token <const> = advise(scope, kind, name, what, f, options) -- no tail call: see `error`
    return token
  end
end

--- What `patching` looks into: by type object, what it has that is no member of the program's.
local reserved_parts <const> = setmetatable({}, { __mode = "k" })

--- Something of ours whose name the program has a function of: a call is one of the program's.
local function shared_part(member, own, type_object, title)
  if type(member) == "function" then
    return function(first, ...)
      if rawequal(first, type_object) then return member(first, ...) end
      return own(first, ...)
    end
  end
  local shared <const> = {}
  is_type_object[shared] = title
  return setmetatable(shared, {
    __metatable = false,
    __name = title,
    __tostring = function() return tostring(member) end,
    __call = function(_, ...) return own(...) end,
    __index = function(_, name) return member[name] end,
    __newindex = function(_, name, value) member[name] = value end,
  })
end

--- Finds what the program has of the names that a type object has parts of its own for: the
--- program's values come first.
---@param members table  has the parts
---@return fun(name: string, member: any): any
local function part_finder(type_object, scope, kind, title, members)
  local kept <const>, getters <const>, shared <const> = {}, {}, {}
  return function(name, member)
    if shared[name] then return shared[name] end
    local getter <const> = getters[name]
    if getter then return from_getter(type_object, name, getter) end
    local own <const> = fetch(type_object, scope, kind, name, members, getters, host.own_member,
      kept)
    if getters[name] then return own end
    if own ~= nil and type(own) ~= "function" then return own end
    shared[name] = own and shared_part(member, own, type_object, title .. "." .. name) or member
    return shared[name]
  end
end

--- `self.super` of a static method: the superclass's static members, called on the type itself.
---@param seen_as string?  the class that `super` is of; without it, that of the running override
local function make_super(type_name, seen_as)
  local superclass <const> = host.super(type_name, seen_as)
  return setmetatable({}, {
    __metatable = false,
    __name = superclass,
    __tostring = function() return superclass end,
    __index = function(super, name)
      check_name(name, 2)
      if name == "super" then return make_super(type_name, superclass) end
      local value <const>, what <const> = host.super_member(type_name, superclass, name)
      if what == "getter" then return value() end
      return without_type_object(value, super, super)
    end,
    __newindex = function(_, name, value)
      check_name(name, 2)
      if type(value) == "function" then
        error(string.format("override it in the class: class(%q).static.%s = f", superclass, name),
          2)
      end
      local setter <const> = host.super_setter(type_name, superclass, name)
      if not setter then
        error(string.format("%s has no static property `%s` that can be set", superclass, name), 2)
      end
      setter(value)
    end,
  })
end

--- Makes `type object[name] = f` an override and `type object.ORIGname` the original.
---@param call function?  what calling the type object does
---@param super function?  gives what `type object.super` is
local function make_type_object(scope, kind, title, members, call, super)
  local getters <const> = {}
  local originals = {} -- the functions behind the ORIG names that were asked for
  local type_object <const> = {}
  is_type_object[type_object] = title
  -- What is there from the start is ours.
  local parts <const> = {}
  for name, member in next, members do parts[name] = member end
  local find_part <const> = part_finder(type_object, scope, kind, title, members)
  if kind == "method" then
    reserved_parts[type_object] = { parts = parts, scope = scope, title = title, super = super }
  end
  return setmetatable(type_object, {
    __metatable = false,
    __name = title,
    __tostring = function() return title end,
    __call = call,
    __index = function(_, name)
      check_name(name, 2)
      local member <const> = members[name]
      if member ~= nil then
        if parts[name] ~= nil then return find_part(name, member) end
        return member
      end
      local getter <const> = getters[name]
      if getter then return from_getter(type_object, name, getter) end
      local original <const> = originals[name]
      if original then return original end
      local replaced <const> = string.match(name, ORIG)
      if replaced then
        local found <const> = host.original(scope, kind, replaced)
        if not selection then originals[name] = found end -- it depends on what is running
        return found
      end
      if super and name == "super" then
        local own <const> = fetch(type_object, scope, kind, name, members, getters, host.own_member)
        if own ~= nil then return own end
        return super()
      end
      if not advice[name] then return fetch(type_object, scope, kind, name, members, getters) end
      local own <const> = fetch(type_object, scope, kind, name, members, getters, host.own_member)
      if own ~= nil and type(own) ~= "function" then return own end
      members[name] = advice_function(type_object, scope, kind, title, name, own)
      return members[name]
    end,
    __newindex = function(_, name, f)
      check_name(name, 2)
      if type(f) == "function" then
        if next(originals) ~= nil then originals = {} end -- they may be of another function now
        if selection then f = selecting().wrap(f, scope, kind, name, title .. "." .. name) end
        return host.override(scope, kind, name, f)
      end
      if attached and f == nil then return host.withdraw(scope, kind, name) end
      local setter <const> = kind == "method" and host.setter(scope, kind, name)
      if not setter then
        error(string.format(
          "%s has no property `%s` of its own that can be set, and an override is a function, not "
            .. "a %s", title, name, type(f)), 2)
      end
      setter(f)
    end,
  })
end

--- Lets `name` be a field of all instances of a class, besides its Swift properties: one value an
--- object, for as long as the object lives.
---@param default any  what it is before it is set; a function is called with the object to make it
---@param declare fun(name: string, default: table)
local function declare_field(name, default, declare)
  check_name(name, 3)
  if not string.match(name, "^[%a_][%w_]*$") then
    error(string.format("the name of a field is a word, not `%s`", name), 3)
  end
  if type(default) == "table" then
    error(string.format(
      "all objects would share the table that `%s` has as default; " ..
      "give a function that makes one: function() return {} end", name), 3)
  end
  declare(name, { default, type(default) == "function" })
end

--- Has `f` called when an object of a class, or of one below it, ends: with the object before its
--- deinitializer, or with nothing after the object is gone.
---@param options { after: boolean? }?
local function declare_deinit(class, f, options)
  check_selects_nothing("what `deinit` declares", 3)
  if type(f) ~= "function" then
    error(string.format("deinit takes a function, not a %s", type(f)), 3)
  end
  if options ~= nil and (type(options) ~= "table" or type(options.after) ~= "boolean") then
    error("the options of deinit are { after = true }", 3)
  end
  if options and options.after then
    host.deinit(class, function(self)
      host.running(self)
      f()
    end)
  else
    host.deinit(class, function(self)
      f(self)
      host.running(self)
    end)
  end
end

--- Makes `f` a method that the Swift type of a scope does not have.
local function declare_method(scope, name, f, members)
  check_name(name, 3)
  if not string.match(name, "^[%a_][%w_]*$") then
    error(string.format("the name of a method is a word, not `%s`", name), 3)
  end
  if type(f) ~= "function" then
    error(string.format("the method `%s` is a function, not a %s", name, type(f)), 3)
  end
  if name == "super" or rawget(members, name) ~= nil then
    error(string.format("`%s` has a meaning of its own, and cannot be a method", name), 3)
  end
  host.method(scope, name, f, function(self, ...) return f(host.unwrap_super(self), ...) end)
end

local make_class

--- The type objects of the program's types, but for `static` ones.
local main_type_objects <const> = setmetatable({}, { __mode = "k" })

--- The classes that the script has made, by name.
local made_classes <const> = {}

--- The Swift type of this name, or of a value: assign functions to it to override its methods, call
--- it to make an instance. With more than a name: makes a class.
---@param name string|userdata  "Bank.Account", or "Account" where that is unambiguous
---@param ... any  of a new class: the superclass, or nil; the names of protocols
function environment.class(name, ...)
  if type(name) == "userdata" then
    if select("#", ...) == 0 then
      local known <const> = host.type_object_of(name)
      if known ~= nil and main_type_objects[known] then return known end
    end
    name = host.type_name(name) or name
  end
  check_name(name, 2)
  if select("#", ...) > 0 then return make_class(name, ...) end
  if made_classes[name] then return made_classes[name] end
  local title
  name, title = host.class(name)
  if not type_objects[name] then
    local scope <const> = { kind = "type", name = name }
    local static_scope <const> = { kind = "static", name = name }
    local static_members <const> = {
      get = make_type_object(static_scope, "getter", title .. ".static.get", {}),
      set = make_type_object(static_scope, "setter", title .. ".static.set", {}),
      willSet = make_type_object(static_scope, "willSet", title .. ".static.willSet", {}),
      didSet = make_type_object(static_scope, "didSet", title .. ".static.didSet", {}),
    }
    function static_members.method(_, method, f)
      declare_method(static_scope, method, f, static_members)
    end
    local initializer
    local function make(_, ...)
      initializer = initializer or host.initializer(name)
      return initializer(...)
    end
    local static <const> = make_type_object(static_scope, "method", title .. ".static",
      static_members, make, function() return make_super(name) end)
    local members <const> = {
      get = make_type_object(scope, "getter", title .. ".get", {}),
      set = make_type_object(scope, "setter", title .. ".set", {}),
      willSet = make_type_object(scope, "willSet", title .. ".willSet", {}),
      didSet = make_type_object(scope, "didSet", title .. ".didSet", {}),
      static = static,
      field = function(_, field, default)
        declare_field(field, default, function(...) host.field(name, ...) end)
      end,
    }
    function members.method(_, method, f) declare_method(scope, method, f, members) end
    members["deinit"] = function(_, f, options) declare_deinit(name, f, options) end
    type_objects[name] = make_type_object(scope, "method", title, members, make)
    static_members.type = type_objects[name]
    reserved_parts[static].parts.type = type_objects[name]
    main_type_objects[type_objects[name]] = true
    host.type_object(name, type_objects[name], static)
  end
  return type_objects[name]
end
host.type_object_maker(environment.class)

local make_view --- what `patching.lua` makes

--- What a type object has that is no member of the program's, where the program has a value of the
--- same name, such as an enum's case `get`: `patching(Method).get`. Functions that are assigned to
--- it are overrides. Of an object or a value it gives a part, as `patching(self, "super")`.
---@param type_object table|string|userdata  what `class` or `module` gave, a name, a value
---@param selector string?  of a part of a value
function environment.patching(type_object, selector)
  if type(type_object) == "userdata" then
    check_name(selector, 2)
    return host.part_of(type_object, selector) -- no table that keeps the object alive
  end
  if type(type_object) == "string" then type_object = environment.class(type_object) end
  local reserved <const> = type(type_object) == "table" and reserved_parts[type_object] or nil
  if not reserved then
    error("patching takes what class or module gave, a class's name, an object or a value", 2)
  end
  if not reserved.view then
    make_view = make_view or part("patching")(advice, advice_function)
    reserved.view = make_view(type_object, reserved)
    is_type_object[reserved.view] = tostring(reserved.view)
  end
  return reserved.view
end

--- What the closure has captured whose override is running, by name or number: values of this
--- call, to be read.
do
  local events, made <const> = nil, {}
  for _, event in ipairs { "__index", "__newindex", "__len", "__pairs", "__tostring" } do
    made[event] = function(...)
      events = events or part("captured")(host)
      return events[event](...)
    end
  end
  made.__metatable, made.__name = false, "captured"
  environment.captured = setmetatable({}, made)
end

-- Classes of the script's ------------------------------------------------------------------------

--- The name of the type that a type object stands for.
local function type_object_name(value)
  for name, type_object in pairs(type_objects) do
    local is_type <const> = not string.find(name, " ")
    if rawequal(type_object, value) or (is_type and rawequal(type_object.static, value)) then
      return name
    end
  end
end

local class_numbers <const> = setmetatable({}, { __mode = "k" }) -- by type object

local conform_part

--- What `conform.lua` makes.
local function conforming()
  check_selects_nothing("a conformance", 3)
  conform_part = conform_part or part("conform")(host, function(class)
    local number <const> = class_numbers[class]
    return number and "#" .. number or type_object_name(class)
  end, check_name)
  return conform_part
end
provide(environment, "conform", conforming)

make_class = function(...)
  check_selects_nothing("a class", 2)
  make_class = part("classes")(host, {
    check_name = check_name, declare_field = declare_field, type_object_name = type_object_name,
    with_type_object = with_type_object, without_type_object = without_type_object,
    reserved_parts = reserved_parts,
  }, made_classes, class_numbers, is_type_object, conforming)
  return make_class(...)
end

--- The Swift module of this name: its types, free functions and global variables. Assign functions
--- to it to override its free functions.
---@param name string
function environment.module(name)
  check_name(name, 2)
  name = host.module(name)
  local key <const> = "module " .. name
  if not type_objects[key] then
    local scope <const> = { kind = "module", name = name }
    type_objects[key] = make_type_object(scope, "method", name, {
      get = make_type_object(scope, "getter", name .. ".get", {}),
      set = make_type_object(scope, "setter", name .. ".set", {}),
      willSet = make_type_object(scope, "willSet", name .. ".willSet", {}),
      didSet = make_type_object(scope, "didSet", name .. ".didSet", {}),
    })
  end
  return type_objects[key]
end

--- Calls the original of the override, or piece of advice, that is running: with `self` first where
--- the override gets one. It returns all that the original returns.
environment.original = selection and function(...) return selecting().original(...) end
  or host.running

--- The manifest. The engine has read it before the script runs; here it does nothing.
function environment.patch(_) end

--- Has `f` called at a turn of the patch's life: "starting" (nothing is live yet; an error refuses
--- the patch), "started", "ending" (all is live still), "ended" (no call is in the patch any more).
--- Also "message", from outside: with a name and a text, and a function that replies, now or later,
--- with a text, or with nil and why not. Returns true if it takes the message.
---@param event string
---@param f function
function environment.on(event, f)
  if type(event) ~= "string" or type(f) ~= "function" then
    error('on takes the name of an event and a function: on("ending", function() ... end)', 2)
  end
  if event == "message" then
    host.on(event, function(name, text, number)
      return f(name, text, function(reply, failure) return host.reply(number, reply, failure) end)
    end)
  else
    host.on(event, f)
  end
end

--- Runs `f` when the module is in the program: now if it is, else as soon as the program has loaded
--- the library that it is in, and before it can call anything in it. In `f` overrides can be
--- assigned.
---@param name string
---@param f function
function environment.when_loaded(name, f)
  if type(name) ~= "string" or type(f) ~= "function" then
    error('when_loaded takes a module\'s name and a function: '
      .. 'when_loaded("Plugin", function() ... end)', 2)
  end
  if host.await(name, f) then f() end
end

-- Wax's spelling --------------------------------------------------------------------------------

local wax_class
---@type fun(name: string, class: table, value: any): string  what the class calls a global's name
local wax_translate

--- From here on, functions assigned to globals override methods of this class; or are methods of a
--- new class, if a superclass is named.
---@param names { [1]: string, [2]: table|string|nil, protocols: string[]?, translate: function? }
---@return table class
function environment.waxClass(names)
  if type(names) ~= "table" or type(names[1]) ~= "string" then
    error('waxClass takes a table with a class\'s name: waxClass{"Bank.Account"}', 2)
  end
  if names[2] ~= nil or names.protocols ~= nil then
    if not string.match(names[1], "^[%a_][%w_]*$") then
      error(string.format("the name of a class is a word, not `%s`", names[1]), 2)
    end
    wax_class = make_class(names[1], names[2], names.protocols, names)
  else
    wax_class = environment.class(names[1])
  end
  wax_translate = names.translate
  return wax_class
end

-- Odds and ends ---------------------------------------------------------------------------------

--- Stands for nil inside a table.
environment.null = host.null

--- Says what `f`, called by Swift as a closure, returns should it fail or its patch have ended.
---@param f function
---@param value any  of the closure's result type
---@return function f
environment.fallback = _G["waxwing.fallback"]

--- `weak(object).object` is the object, or nil when it is dead: a reference that does not keep it.
environment.weak = _G.weak

--- How many objects and values of each Swift type the script holds.
environment.objects = host.objects

--- Seconds, with a fraction: of a clock that is steady, for durations; `clock("wall")`: since 1970.
---@param name "wall"|nil
---@return number
function environment.clock(name)
  if name ~= nil and name ~= "wall" then
    error(string.format('clock takes nothing, or "wall", not %q', tostring(name)), 2)
  end
  return host.clock(name == "wall")
end

--- The kernel's id of the thread that the call is on.
environment.thread = advice_library.thread

-- Values ----------------------------------------------------------------------------------------

--- A table's elements, a struct's stored properties in order, or an enum's payload.
function environment.unpack(value, ...)
  if type(value) == "table" then return table.unpack(value, ...) end
  return host.parts(value)
end

--- A value of the same struct as `value`, of a table of all its stored properties, by name or in
--- order: `repack(point, { 1, 2 })`. Its initializers do not run.
---@type fun(value: any, properties: table): any
environment.repack = host.repack

--- A table of what a live collection holds now; a copy of a struct or enum.
environment.copy = host.copy

--- A value as text, as `tostring` gives it, of an object with the properties that can change. They
--- are read without the lock that guards them: call it where the program itself would read them.
---@return string
function environment.reveal(value)
  return type(value) == "userdata" and host.reveal(value) or tostring(value)
end

--- `live(object).name` is the object's collection itself, not a copy of it as a table.
function environment.live(object)
  if type(object) ~= "userdata" then
    error(string.format("live takes an object, not a %s: a table is a copy already; write "
      .. "live(object).property", type(object)), 2)
  end
  return setmetatable({}, {
    __metatable = false,
    __name = "live object",
    __tostring = function() return "live " .. tostring(object) end,
    __index = function(_, name) return host.live(object, name) end,
    __newindex = function(_, name, value) object[name] = value end,
  })
end

-- What types are ---------------------------------------------------------------------------------

local list_type --- what `listing.lua` makes

--- The type of a Swift value, a class or a module: `name`, `kind`, `superclass`, `protocols`,
--- `members`, and all of them as text. For Lua's own values, what Lua calls them, integers and
--- floats apart.
---@param text string?  only members that contain it
function environment.typeof(value, text)
  list_type = list_type or part("listing")(host)
  return list_type(value, type(value) == "table" and type_object_name(value), text)
end

--- Whether a value is of a type, or of a class below it.
---@param value any
---@param wanted table|string  what `class` gave, or the name
---@return boolean
function environment.is(value, wanted)
  local number <const> = wanted ~= nil and class_numbers[wanted] or nil
  if not number and wanted ~= nil and is_type_object[wanted] then
    local found <const> = host.is_of(value, wanted)
    if found ~= nil then return found end
  end
  local name <const> = number and "#" .. number or type_object_name(wanted) or wanted
  if type(name) ~= "string" or string.find(name, "^module ") then
    error("is takes a value and a class, or its name", 2)
  end
  return host.is(value, name)
end

--- The class version of a type or module: how many live patches change it.
---@param type_or_module table|string  what `class` or `module` gave, or the name
---@return integer
function environment.version(type_or_module)
  local name = type_or_module
  if type(name) == "table" then
    name = string.gsub(type_object_name(name) or "", "^module ", "")
  end
  if type(name) ~= "string" or name == "" then
    error("version takes a class or module, or its name, not a " .. type(type_or_module), 2)
  end
  return host.version(name)
end


--- Throws from an override of a throwing Swift function: an error that Swift threw, a value of a
--- type that is an `Error`, or a message.
environment.throw = _G["waxwing.throw"] or function(value) error(value, 0) end
_G["waxwing.throw"] = nil

local function logger(level)
  return function(message, fields)
    if fields ~= nil and type(fields) ~= "table" then
      error(string.format("log.%s takes a message and a table of fields", level), 2)
    end
    host.log(level, tostring(message), fields)
  end
end

environment.log = {
  debug = logger("debug"),
  info = logger("info"),
  warn = logger("warn"),
  error = logger("error"),
}

function environment.print(...)
  local parts <const> = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  host.log("print", table.concat(parts, "\t"))
end

local loaded <const> = {}
local loading <const> = {}

--- What a program of its own can require besides its files: Lua's libraries, and what is installed
--- on the machine. Their code sees the script's globals.
---@return boolean is_there, any
local function require_installed(name)
  local package <const>, lua_require <const> = package, require
  if package.loaded[name] ~= nil then return true, package.loaded[name] end
  local path <const> = not package.preload[name] and package.searchpath(name, package.path)
  if path then
    local chunk <const>, message <const> = loadfile(path, "bt", environment)
    if not chunk then error(message, 0) end
    local result <const> = chunk(name, path)
    if result ~= nil then package.loaded[name] = result end
    if package.loaded[name] == nil then package.loaded[name] = true end
    return true, package.loaded[name]
  end
  if package.preload[name] or package.searchpath(name, package.cpath) then
    return true, (lua_require(name))
  end
  return false
end

--- Runs a module of the patch once and returns what it returns.
---@param name string
function environment.require(name)
  check_name(name, 2)
  if loaded[name] ~= nil then return loaded[name] end
  if full and package.loaded[name] ~= nil then return package.loaded[name] end
  local chunk <const>, other <const> = host.source(name)
  if not chunk and full then
    local is_there <const>, value <const> = require_installed(name)
    if is_there then return value end
  end
  if not chunk then
    error(string.format("the patch has no module `%s`%s", name, other or ""), 2)
  end
  local whole <const> = other or name -- the library's modules have two names
  if loaded[whole] ~= nil then
    loaded[name] = loaded[whole]
    return loaded[name]
  end
  if loading[whole] then error(string.format("module `%s` requires itself", name), 2) end
  loading[whole] = true
  -- Also when the module fails: it may be required again.
  local _ <close> = setmetatable({}, { __close = function() loading[whole] = nil end })
  local result = chunk(name)
  if result == nil then result = true end
  loaded[name], loaded[whole] = result, result
  return result
end

-- The environment -------------------------------------------------------------------------------

local copied <const> = {
  "assert", "error", "getmetatable", "ipairs", "math", "next", "pairs", "pcall", "rawequal",
  "rawget", "rawlen", "rawset", "select", "string", "table", "tonumber", "tostring", "type",
  "utf8", "xpcall", "_VERSION",
}

for _, name in ipairs(copied) do
  environment[name] = _G[name]
end

--- Lua's own, but a type object has no keys of its own: an override would silently be none.
function environment.rawset(table, key, value)
  if is_type_object[table] then
    error(string.format("rawset does not override anything: assign to it, %s[%q] = f",
      is_type_object[table], tostring(key)), 2)
  end
  return rawset(table, key, value)
end

-- Refuses what is not for scripts; the engine's own Lua code needs it.
environment.setmetatable = _G["waxwing.setmetatable"] or setmetatable
_G["waxwing.setmetatable"] = nil

-- A script may change its libraries. The engine's own Lua code has others.
for _, name in ipairs { "math", "string", "table", "utf8" } do
  local own <const> = {}
  for key, value in next, _G[name] do own[key] = value end
  _G[name] = own
end

local coroutine_part

--- What `coroutines.lua` makes: the library, and what the coroutines run for.
local function coroutines()
  coroutine_part = coroutine_part or table.pack(part("coroutines")(host))
  return coroutine_part[1], coroutine_part[2]
end
environment.coroutine = {}
provide(environment.coroutine, "close create isyieldable resume running status wrap yield",
  coroutines)
provide(environment,
  "after all ask cancelled continuation each global main race sleep task timeout", function()
    local _, strands <const> = coroutines()
    return part("async")(host, strands)
  end)

-- The engine's own.
if purpose == "watch" then
  environment.callers, environment.separately = host.callers, separately

  --- Has `f` answer a question of the engine's: it gets a function that replies, now or later, with
  --- a table, or with nil and why not; and what goes with the question.
  ---@param question string  see ScriptQuestions.swift
  ---@param f fun(reply: fun(value: table?, failure: string?), ...)
  function environment.answer(question, f)
    host.answer(question, function(number, ...)
      return f(function(value, failure) return host.reply(number, value, failure) end, ...)
    end)
  end
end

-- A program of its own, not a patch: standard output is its own too.
if full then
  environment.print = print
  environment.exit = os.exit

  --- Loads a library of Swift's, such as "Foundation", and returns its module.
  ---@param name string
  function environment.import(name)
    check_name(name, 2)
    return environment.module(host.import(name))
  end

  local lua_load <const>, lua_loadfile <const> = load, loadfile

  --- Lua's own; the chunk has the script's globals, unless it is given others.
  function environment.load(chunk, name, mode, ...)
    if select("#", ...) > 0 then return lua_load(chunk, name, mode, ...) end
    return lua_load(chunk, name, mode, environment)
  end

  --- The same of a file.
  function environment.loadfile(name, mode, ...)
    if select("#", ...) > 0 then return lua_loadfile(name, mode, ...) end
    return lua_loadfile(name, mode, environment)
  end

  --- Runs a file with the script's globals and returns what it returns.
  function environment.dofile(name)
    local chunk <const>, message <const> = lua_loadfile(name, "bt", environment)
    if not chunk then error(message, 0) end
    return chunk()
  end

  for name, value in pairs(_G) do
    if environment[name] == nil then environment[name] = value end
  end
  package.loaded._G, package.loaded.coroutine = environment, environment.coroutine
end
environment._G = environment

--- The names that exist, for suggestions.
local function known_names()
  local names <const> = {}
  for name in next, environment do names[#names + 1] = name end
  return table.concat(names, " ")
end

local globals <const> = {}
--- The names that the script has assigned something to: they are variables, also with nil in them.
local assigned <const> = {}

--- The type object of the type or module that the program has of this name; types and modules begin
--- with a capital.
local function find_global(name)
  if not string.match(name, "^%u") then return nil end
  local what <const>, found <const> = host.global(name)
  if what == "type" then return environment.class(found) end
  if what == "module" then return environment.module(found) end
  return nil
end

setmetatable(environment, {
  __metatable = false,
  __index = function(_, name)
    if assigned[name] then return nil end
    if globals[name] then return globals[name] end
    name = tostring(name)
    globals[name] = find_global(name)
    if globals[name] then return globals[name] end
    error(string.format("undefined variable `%s`%s", name, host.near(name, known_names())), 2)
  end,
  __newindex = function(_, name, value)
    if wax_class and type(value) == "function" then
      wax_class[wax_translate and wax_translate(name, wax_class, value) or name] = value
    else
      if name ~= nil and name == name then assigned[name] = true end
      rawset(environment, name, value)
    end
  end,
})

-- For the shell's own part, which runs next and forgets it.
_G["waxwing.inner"] = (full or attached) and {
  is_attached = attached,
  environment = environment,
  host = host,
  find_global = find_global,
  is_type_object = function(value) return type_object_name(value) ~= nil end,
} or nil

-- For keeping_code.c: what neither keeps what it gets nor calls anything of the script's.
local harmless <const> = { environment.print, environment.clock, tostring, tonumber }
for _, f in next, environment.log do harmless[#harmless + 1] = f end
_G["waxwing.harmless"], _G["waxwing.type_objects"] = harmless, is_type_object

-- Where the engine finds it.
_G["waxwing.environment"] = environment
