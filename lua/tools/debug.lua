-- SPDX-License-Identifier: MIT
--
-- What `waxwing debug` sees of calls that have stopped: frames, variables, values of expressions.
-- The program's own code may run for it, and the call may go on meanwhile.

---@class waxwing.DebugFunctions  see wax_proxy_debug.h
---@field is_stopped fun(stop: integer): boolean
---@field frame fun(stop: integer, level: integer): string?, integer?, string?, string?
---@field get fun(stop: integer, level: integer, kind: string, index: integer): string?, any
---@field set fun(stop: integer, level: integer, kind: string, index: integer, value: any): boolean
---@field error fun(stop: integer): any
---@field makes_text fun(value: any): boolean
---@field compile fun(text: string, name: string, environment: table): function?, string?
local functions <const> = _G["waxwing.debug"]()
_G["waxwing.debug"] = nil

local environment <const> = _G["waxwing.environment"]
local typeof <const> = environment.typeof

--- Bytes of a text, variables of one level, values that can be expanded while calls are stopped.
local longest <const>, most_variables <const>, most_handles <const> = 1000, 500, 5000

local function cut(text)
  if #text > longest then
    local last = longest
    while last > 0 and (string.byte(text, last + 1) or 0) & 0xC0 == 0x80 do last = last - 1 end
    text = string.sub(text, 1, last) .. "…"
  end
  return (string.gsub(text, "%c", " "))
end

--- The text of an error.
local function problem(value)
  local works <const>, text <const> = pcall(tostring, value)
  return cut(works and text or "an error that has no text")
end

local function demand_stopped(stop)
  if not functions.is_stopped(stop) then error("the call has gone on", 0) end
end

-- Values that can be expanded -------------------------------------------------------------------

---@class waxwing.DebugHandle
---@field stop integer
---@field list fun(hides: boolean): table[]  { name, value, expression? } each; { name, nil,
---expression?, later = … } of what is read when it is asked for; `hides`: nothing that can change

local handles = {}  ---@type table<integer, waxwing.DebugHandle>
local last_handle, handle_count = 0, 0

--- Lets go of what is for a call that goes on.
local function forget(stop)
  for number, handle in pairs(handles) do
    if handle.stop == stop then
      handles[number] = nil
      handle_count = handle_count - 1
    end
  end
end

local function new_handle(stop, list)
  if handle_count >= most_handles then return 0 end
  last_handle, handle_count = last_handle + 1, handle_count + 1
  handles[last_handle] = { stop = stop, list = list }
  return last_handle
end

--- A value's members as an expression continues, where they have a name.
local function member(expression, key)
  if not expression then return nil end
  if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then
    return expression .. "." .. key
  end
  if math.type(key) == "integer" then return expression .. "[" .. key .. "]" end
  return nil
end

--- Whether a script's own function may make a table's text: that may take all that the request may.
--- What the script says that the metatable is does not count.
local function has_own_text(value)
  if type(value) ~= "table" or not functions.makes_text(value) then return false end
  -- The engine's own tables have types.
  local works <const>, listing <const> = pcall(typeof, value)
  return not (works and type(listing) == "table")
end

--- The text of an error that nobody has asked for.
local function own_problem(value)
  return has_own_text(value) and "an error whose text a function makes" or problem(value)
end

local function key_text(key)
  if type(key) == "string" then return cut(key) end
  return has_own_text(key) and "[{…}]" or "[" .. problem(key) .. "]"
end

local function list_pairs(value, next_pair, expression)
  local numbered <const>, others <const> = {}, {}
  local count = 0
  for key, element in next_pair, value do
    count = count + 1
    if count > most_variables then break end
    local entry <const> = { key_text(key), element, member(expression, key) }
    if math.type(key) == "integer" then
      entry.key = key
      numbered[#numbered + 1] = entry
    else
      others[#others + 1] = entry
    end
  end
  table.sort(numbered, function(a, b) return a.key < b.key end)
  table.sort(others, function(a, b) return a[1] < b[1] end)
  return table.move(others, 1, #others, #numbered + 1, numbered)
end

--- A value's properties, stored ones first: { name, is_constant } each. Those of an object that are
--- no `let` may change while they are read: only the call has stopped. So may what a getter reads.
local function properties(value)
  local works <const>, listing <const> = pcall(typeof, value)
  local found <const> = {}
  if not works or type(listing) ~= "table" then return found end
  local is_value <const> = listing.kind == "struct" or listing.kind == "enum"
  for _, declared in ipairs(listing.members) do
    local plain <const> = string.gsub(string.gsub(declared, "^unowned ", ""), "^weak ", "")
    local word <const>, name <const> = string.match(plain, "^(%a+) ([%w_]+)")
    if (word == "var" or word == "let") and #found < most_variables then
      local is_stored <const> = not string.find(plain, "{", 1, true)
      found[#found + 1] = { name, is_stored and (is_value or word == "let") }
    end
  end
  return found
end

local hidden_text <const> = "(not shown: the program's policy hides properties that can change)"

--- What is read when somebody asks for it, and not before.
local function read_later(name, expression, read)
  return {
    name, nil, expression,
    later = function(hides)
      if hides then error("the program's policy hides properties that can change", 0) end
      return { { "", read(), expression } }
    end,
  }
end

local function list_properties(value, expression)
  local entries <const> = {}
  for index, property in ipairs(properties(value)) do
    local name <const> = property[1]
    local path <const> = member(expression, name)
    local function read() return value[name] end
    if property[2] then
      local works <const>, result <const> = pcall(read)
      entries[index] = works and { name, result, path }
        or { name, nil, nil, problem = own_problem(result) }
    else
      entries[index] = read_later(name, path, read)
    end
  end
  return entries
end

--- A live collection's elements.
local function list_live(value, expression)
  local copied <const> = {}
  for key, element in pairs(value) do copied[key] = element end
  return list_pairs(copied, next, expression)
end

--- What is in a value: how to list it; nil: nothing can be seen in it.
local function contents(value, expression)
  if type(value) == "table" then
    local metatable <const> = getmetatable(value)
    if metatable ~= nil and type(metatable) ~= "table" then return nil end
    if next(value) == nil then return nil end
    return function() return list_pairs(value, next, expression) end
  end
  if type(value) ~= "userdata" then return nil end
  local text <const> = problem(value)
  if string.find(text, "^live ") then
    -- With a count it is nobody's but the patch's.
    local is_own <const> = string.find(text, " %(%d+%)$") ~= nil
    return function(hides)
      if hides and not is_own then
        error("the program's policy hides properties that can change", 0)
      end
      return list_live(value, expression)
    end
  end
  if #properties(value) == 0 then return nil end
  return function() return list_properties(value, expression) end
end

local function string_text(value) return cut(string.format('"%s"', value)) end

--- The beginning of a table without a metatable.
local function table_text(value)
  local parts <const> = {}
  for key, element in next, value do
    if #parts == 5 then
      parts[6] = "…"
      break
    end
    local text <const> = type(element) == "table" and "{…}"
      or type(element) == "string" and string_text(element) or problem(element)
    local is_numbered <const> = math.type(key) == "integer" and key == #parts + 1
    parts[#parts + 1] = is_numbered and text or key_text(key) .. " = " .. text
  end
  return cut("{" .. table.concat(parts, ", ") .. "}")
end

local function text_of(value)
  if type(value) == "string" then return string_text(value) end
  if type(value) == "table" and getmetatable(value) == nil then return table_text(value) end
  return problem(value)
end

--- The name of its type: of Swift's, or Lua's.
local function type_of(value)
  if type(value) ~= "userdata" then return math.type(value) or type(value) end
  local works <const>, listing <const> = pcall(typeof, value)
  return works and type(listing) == "table" and cut(listing.name) or "userdata"
end

--- A variable as DebugAnswer.swift reads it.
---@class waxwing.DebugVariable
---@field name string
---@field text string
---@field type string
---@field handle integer      0: nothing can be seen in it
---@field expression string
---@field is_later boolean    whether the value is read later

---@return waxwing.DebugVariable
local function shown(name, text, kind, handle, expression, is_later)
  return {
    name = name, text = text, type = kind, handle = handle, expression = expression or "",
    is_later = is_later or false,
  }
end

local function show(stop, name, value, expression)
  local list <const> = contents(value, expression)
  return shown(
    name, text_of(value), type_of(value), list and new_handle(stop, list) or 0, expression)
end

local function show_later(stop, entry, hides)
  if hides and not entry.is_own then return shown(entry[1], hidden_text, "", 0) end
  return shown(entry[1], "…", "", new_handle(stop, entry.later), entry[3], true)
end

local function show_all(stop, entries, first, most, hides)
  local variables <const> = {}
  for index = first, math.min(#entries, first + math.min(most, most_variables) - 1) do
    local entry = entries[index]
    if not entry.later and not entry.is_shown and has_own_text(entry[2]) then
      local name <const>, value <const>, expression <const> = entry[1], entry[2], entry[3]
      entry = {
        name, nil, expression, is_own = true,
        later = function() return { { "", value, expression, is_shown = true } } end,
      }
    end
    if entry.later then
      variables[#variables + 1] = show_later(stop, entry, hides)
    elseif entry.problem then
      variables[#variables + 1] = shown(entry[1], "(" .. entry.problem .. ")", "", 0)
    else
      variables[#variables + 1] = show(stop, entry[1], entry[2], entry[3])
    end
  end
  return { variables = variables }
end

-- Variables -------------------------------------------------------------------------------------

--- The variables of a kind that the code at a level sees, by name: of one name the innermost.
local function places(stop, level, kind)
  local found <const>, order <const> = {}, {}
  for index = 1, most_variables do
    local name <const> = functions.get(stop, level, kind, index)
    if not name then break end
    if not string.find(name, "^%(") and not (kind == "upvalue" and name == "_ENV") then
      if not found[name] then order[#order + 1] = name end
      found[name] = index
    end
  end
  return found, order
end

local function list_places(stop, level, kind, is_wanted)
  local found <const>, order <const> = places(stop, level, kind)
  local entries <const> = {}
  for _, name in ipairs(order) do
    local _, value <const> = functions.get(stop, level, kind, found[name])
    if is_wanted(value) then entries[#entries + 1] = { name, value, name } end
  end
  if kind == "local" then
    for index = 1, most_variables do
      local name <const>, value <const> = functions.get(stop, level, "vararg", index)
      if not name then break end
      if is_wanted(value) then entries[#entries + 1] = { "..." .. index, value } end
    end
  end
  return entries
end

local function is_any() return true end
local function is_swift(value) return type(value) == "userdata" end

local function list_swift(stop, level)
  local entries <const> = list_places(stop, level, "local", is_swift)
  local seen <const> = {}
  for _, entry in ipairs(entries) do seen[entry[1]] = true end
  for _, entry in ipairs(list_places(stop, level, "upvalue", is_swift)) do
    if not seen[entry[1]] then entries[#entries + 1] = entry end
  end
  return entries
end

-- Expressions -----------------------------------------------------------------------------------

--- The globals of the code at a level.
local function globals(stop, level)
  for index = 1, most_variables do
    local name <const>, value <const> = functions.get(stop, level, "upvalue", index)
    if not name then break end
    if name == "_ENV" and type(value) == "table" then return value end
  end
  return environment
end

--- What an expression sees: the locals, the upvalues, then the globals.
local function scope(stop, level)
  local locals <const>, upvalues <const> =
    places(stop, level, "local"), places(stop, level, "upvalue")
  local outer <const> = globals(stop, level)
  local function place(name)
    if locals[name] then return "local", locals[name] end
    if upvalues[name] then return "upvalue", upvalues[name] end
    return nil
  end
  return setmetatable({}, {
    __index = function(_, name)
      local kind <const>, index <const> = place(name)
      if not kind then return outer[name] end
      demand_stopped(stop)
      local _, value <const> = functions.get(stop, level, kind, index)
      return value
    end,
    __newindex = function(_, name, value)
      local kind <const>, index <const> = place(name)
      if not kind then
        outer[name] = value
        return
      end
      demand_stopped(stop)
      functions.set(stop, level, kind, index, value)
    end,
  })
end

local function evaluate(stop, level, text)
  local seen <const> = scope(stop, level)
  local chunk, message = functions.compile("return " .. text .. "\n", "=expression", seen)
  if not chunk then
    local statement <const>, wrong <const> = functions.compile(text, "=expression", seen)
    -- An assignment is no expression, and what is wrong with one says more about it.
    chunk, message = statement, string.find(text, "[^=~<>]=[^=]") and wrong or message
  end
  if not chunk then error(message, 0) end
  return chunk()
end

--- A template in which what is in braces is an expression.
local function fill(stop, level, template)
  return (string.gsub(template, "{([^{}]+)}", function(text)
    local works <const>, value <const> = pcall(evaluate, stop, level, text)
    if not works then return "{" .. problem(value) .. "}" end
    return type(value) == "string" and cut(value) or text_of(value)
  end))
end

-- What is asked for -----------------------------------------------------------------------------

--- By the name of the request, as ScriptDebugger.swift has them. What they return is read by
--- DebugAnswer.swift.
---@type table<string, fun(stop: integer, ...): table>
local requests <const> = {}

--- Of the script's own functions.
function requests.frames(stop)
  local frames <const> = {}
  local level = 0
  while #frames < 200 do
    local source <const>, line <const>, name <const> = functions.frame(stop, level)
    if not source then break end
    if string.sub(source, 1, 1) == "@" then
      frames[#frames + 1] = {
        level = level, file = string.sub(source, 2), line = line, name = cut(name or ""),
      }
    end
    level = level + 1
  end
  return { frames = frames }
end

function requests.scopes(stop, level)
  return {
    handles = {
      new_handle(stop, function() return list_places(stop, level, "local", is_any) end),
      new_handle(stop, function() return list_places(stop, level, "upvalue", is_any) end),
      new_handle(stop, function() return list_swift(stop, level) end),
    },
  }
end

function requests.variables(stop, number, first, most, hides)
  local handle <const> = handles[number]
  if not handle then error("the call has gone on", 0) end
  return show_all(stop, handle.list(hides), first, most, hides)
end

function requests.evaluate(stop, level, text)
  return { variables = { show(stop, "", evaluate(stop, level, text), text) } }
end

function requests.test(stop, level, text)
  return { holds = evaluate(stop, level, text) and true or false }
end

function requests.fill(stop, level, text) return { text = fill(stop, level, text) } end

function requests.error(stop) return { text = problem(functions.error(stop)) } end

function requests.forget(stop)
  forget(stop)
  return {}
end

_G["waxwing.debugger"] = function(request, stop, ...)
  if request ~= "forget" then demand_stopped(stop) end
  return requests[request](stop, ...)
end
