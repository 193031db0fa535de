-- SPDX-License-Identifier: MIT
--
-- A host that stands in for the engine: it knows two types and a module, and writes down what the
-- prelude asks of it.

local TestHost = {}

local type_of <const> = type

local types <const> = { Account = "Bank.Account", ["Bank.Account"] = "Bank.Account",
  Fees = "Bank.Fees", ["Bank.Fees"] = "Bank.Fees", ["Bank.Brief"] = "Bank.Brief" }

--- A host, and the environment that the prelude makes with it.
---@param prelude function  the compiled prelude
---@param modules table<string, function>?  what `require` finds
---@param full boolean?  a program of its own, not a patch: with a shell
---@param selection table?  of a patch that takes part in some calls
---@param purpose string?    "watch" or "shell"
function TestHost.start(prelude, modules, full, selection, purpose)
  local host <const> = { record = {}, type_objects = {}, overrides = {}, null = io.stdout }

  --- A scope as one text.
  local function shown(scope) return scope.kind .. " " .. scope.name end

  local function note(...)
    local words <const> = { ... }
    for place, word in ipairs(words) do
      if type_of(word) == "table" then words[place] = shown(word) end
    end
    host.record[#host.record + 1] = table.concat(words, " ")
  end

  function host.class(name)
    local found <const> = types[name] or error("no type `" .. name .. "`")
    return found, found
  end

  function host.module(name)
    return name == "Bank" and name or error("no module `" .. name .. "`")
  end

  function host.global(name)
    note("global", name)
    if types[name] then return "type", types[name] end
    if name == "Bank" then return "module", name end
  end

  function host.import(name)
    note("import", name)
    return "Bank"
  end

  function host.type_object(name, type_object, static)
    note("type_object", name)
    host.type_objects[name] = static
    host.object_of_type = type_object
  end

  function host.type_object_maker(make)
    host.make = make
  end

  function host.initializer(name)
    note("initializer", name)
    return function(...) return "a new " .. name .. " of " .. table.concat({ ... }, ", ") end
  end

  function host.await(name)
    note("await", name)
    return name == "Bank"
  end

  function host.version(name)
    note("version", name)
    return 3
  end

  function host.setter(scope, kind, name)
    note("setter", scope, kind, name)
    if name ~= "shared" then return nil end
    return function(value) host.shared = value end
  end

  function host.override(scope, kind, name, f)
    note("override", scope, kind, name)
    host.overrides[name] = f
  end

  function host.super(type, seen_as)
    note("super", type, seen_as)
    return seen_as and "Bank.Root" or "Bank.Base"
  end

  function host.super_setter(type, superclass, name)
    note("super_setter", type, superclass, name)
    if name ~= "shared" then return nil end
    return function(value) host.shared = value end
  end

  function host.super_member(type, superclass, name)
    note("super_member", type, superclass, name)
    if name == "title" then return function() return "the title" end, "getter" end
    return function(...) return name .. select("#", ...) end
  end

  function host.original(scope, kind, name)
    note("original", scope, kind, name)
    return function() return "the original " .. name end
  end

  function host.member(scope, kind, name)
    note("member", scope, kind, name)
    if name == "shared" then return function() return host.shared end, "getter" end
    if name == "Fees" then return "Bank.Fees", "type" end
    local added <const> = host.methods and host.methods[shown(scope) .. " " .. name]
    if added then return added, scope.kind == "static" and "added static" or "added" end
    local static <const> = host.methods and host.methods["static " .. scope.name .. " " .. name]
    if static then return static, "added static" end
    if name == "make" then
      return function(...) return select("#", ...), ... end, "static", host.taken ~= nil
    end
    return function() return "the member " .. name end
  end

  --- What the program has of the names of a type object's parts: functions of `host.own` give it.
  function host.own_member(scope, kind, name)
    if name == "before" or name == "after" or name == "instead" then
      return host.member(scope, kind, name)
    end
    local own <const> = host.own and host.own[shown(scope) .. " " .. name]
    if own then return own() end
  end

  function host.own_class_static(number, name)
    local own <const> = host.own and host.own["class " .. number .. " " .. name]
    if own then return own() end
  end

  function host.fits_static(scope, name, ...)
    note("fits", scope, name, select("#", ...))
    return host.taken[select("#", ...)] or false
  end

  function host.field(type, name, default)
    note("field", type, name, type_of(default[1]), tostring(default[2]))
  end

  function host.method(scope, name, f, of_super)
    note("method", scope, name)
    host.methods = host.methods or {}
    host.methods[shown(scope) .. " " .. name] = f
    host.of_super = of_super
  end

  function host.subclass(name, superclass, none, has_protocols)
    note("subclass", name, tostring(superclass), tostring(none[2] or has_protocols))
    host.classes = (host.classes or 0) + 1
    return host.classes - 1, name
  end

  function host.at_end(f) host.ended = f end

  function host.class_object(number, type_object)
    note("class_object", number)
    host.object_of_type = type_object
  end

  function host.class_function(number, kind, static, name, f, of_super)
    note("class_function", number, kind, tostring(static), name)
    host.functions = host.functions or {}
    host.functions[number .. name] = f
    if kind == "method" then host.of_super = of_super end
    if static then
      host.inherited = host.inherited or {}
      host.inherited[name] = f
    end
  end

  function host.class_field(number, name, default)
    note("class_field", number, name, type_of(default[1]), tostring(default[2]))
  end

  function host.class_static(number, name, above)
    note("class_static", number, name, tostring(above))
    local inherited <const> = host.inherited and host.inherited[name]
    if inherited then return inherited, "added static" end
    if name == "title" then return function() return "the title" end, "getter" end
    if name == "added" then return function(class) return tostring(class) end, "added static" end
    return function(...) return name .. select("#", ...) end
  end

  function host.class_static_setter(number, name, above)
    note("class_static_setter", number, name, tostring(above))
    if name ~= "shared" then return nil end
    return function(value) host.shared = value end
  end

  --- Its superclass's initializer makes it, fails for false, and is not to be called twice.
  function host.class_instance(number)
    local object = { number = number }
    object.super = { init = function(_, ...)
      note("init", number, select("#", ...))
      object.is_made = (...) ~= false
    end }
    return object
  end

  function host.class_finish(object)
    return object.is_made
  end

  function host.deinit(type, f)
    note("deinit", type)
    f("self")
  end

  --- Needs what `host.needed` says.
  function host.conform(asked)
    local members <const>, associated <const>, places <const> = {}, {}, {}
    for place, member in ipairs(asked.members) do
      members[place] = (member.static and "static " or "") .. member.kind .. " " .. member.name
      places[members[place]] = place
    end
    for place, each in ipairs(asked.types) do associated[place] = each.name .. "=" .. each.type end
    note("conform", asked.type, asked.protocol, table.concat(members, "\n"),
      table.concat(associated, "\n"), asked.is_lenient and "lenient" or nil)
    if host.refusal then error(host.refusal, 0) end
    local needed <const> = {}
    for place, what, name in string.gmatch(host.needed or "", "(%d+) (%S+) ([^\n]+)") do
      needed[#needed + 1] = { place = math.tointeger(place), given = places[name],
        forward = what ~= "key" and what or nil, name = name }
    end
    return 1, needed
  end

  function host.witness(number, place, f)
    note("witness", number, place, type_of(f))
    host.witnesses = host.witnesses or {}
    host.witnesses[place] = f
  end

  function host.hash_value() return 42 end

  function host.on(event, f)
    note("on", event)
    host.callback = f
  end

  function host.part_of(_, name) return "part " .. name end

  function host.unwrap_super(part)
    return "the whole of " .. part
  end

  function host.typeNamed(name)
    note("typeNamed", name)
    return { name = name, kind = "class", superclass = "Bank.Base", protocols = { "Hashable" },
      members = { "var balance: Int", "func audit()" } }
  end

  function host.type_briefly(value, name)
    if name == "Bank.Brief" then
      return { name = name, kind = "class", superclass = "Bank.Base" }, "the type"
    end
    if not name and value ~= io.stdout then return math.type(value) or type_of(value) end
  end

  function host.complete_type(subject)
    note("complete_type", subject)
    return { name = "Bank.Brief", kind = "class", protocols = { "Hashable" },
      members = { "func audit()" } }
  end

  function host.typeof(value)
    if value ~= io.stdout then return math.type(value) or type_of(value) end
    return { name = "Bank.Empty", kind = "struct", protocols = {}, members = {} }
  end

  function host.moduleNamed(name)
    return { name = name, kind = "module", protocols = {}, members = { "class Account" } }
  end

  function host.globals() return { "Account" } end

  function host.objects() return { ["Bank.Account"] = 2 } end

  function host.visible(text) return text end
  function host.reply(message, text, failure)
    note("reply", message, tostring(text), tostring(failure))
    return text ~= nil
  end
  function host.type_object_of() end
  function host.is_of() end
  function host.type_name(value) return value == nil and "" or nil end
  function host.is(value, name)
    note("is", value, name)
    return true
  end
  function host.repack(value, properties) return { value, properties } end
  function host.reveal(value) return value == nil and "all of nil" or nil end
  function host.clock(wall) return wall and 1000 or 1 end

  function host.log(level, message, fields)
    note("log", level, message, fields and fields.key)
  end

  function host.source(name)
    local found <const> = modules and modules[name]
    return found, found and type(modules.whole) == "table" and modules.whole[name] or nil
  end

  function host.parts(value)
    note("parts", tostring(value))
    return 1, 2
  end

  function host.live(_, name)
    note("live", name)
    return "live " .. name
  end

  function host.callers()
    return "1a2b"
  end

  function host.copy()
    return {}
  end

  function host.near(name, known)
    host.known = known
    return name == "clas" and "; did you mean `class`?" or ""
  end

  _G["waxwing.connect"] = function(owner, key, copy)
    host.connected = { owner, key, copy }
    return copy
  end
  _G["waxwing.advice"] = { thread = function() return 7 end }
  local function advice()
    return function(scope, kind, name, what, f, options)
      note(what, scope, kind, name, type_of(f), options and "with options")
      return "token"
    end
  end
  local function selecting(_, terms, describing)
    note("selecting", terms.mode, describing)
    return {
      wrap = function(f, scope, kind, name, title)
        note("wrap", scope, kind, name, title)
        return f
      end,
      original = function() return "stand-in" end,
    }
  end
  local parts <const> = {
    advice = advice, selection = selecting, describe = function() return "describing" end,
  }
  prelude(host, full, function(name)
    if host.asked then host.asked(name) end
    return parts[name] or _G[name]
  end, selection, purpose)
  if full then _G.shell() end
  local environment <const> = _G["waxwing.environment"]
  _G["waxwing.environment"] = nil
  return host, environment
end

return TestHost
