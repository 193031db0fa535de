-- SPDX-License-Identifier: MIT
--
-- Advice: `before`, `after` and `instead`.
--
-- A piece of advice `instead` is an override of its own. All pieces `before` and `after` of one
-- patch point are run by one override, which is around all others of the patch there: the pieces
-- before it, then the original, then those after it, in the order of adding.
--
-- No table is made for a call whose pieces replace nothing and which has one result. Such calls are
-- run in C (pieces.c) until a piece does something unusual: then they go on here.

--- (observer, fail, what goes on before, what goes on after) -> runner
---@alias waxwing.MakeRunner fun(run: function, fail: function, b: function, a: function): function
--- (runner, point, pieces before, pieces after, original)
---@alias waxwing.ArrangePieces fun(r: function, p: table, b: table, a: table, o: function)

---@class waxwing.AdviceLibrary
---@field make fun(once: boolean, thread: integer?, object: any, f: function): userdata
---@field claim fun(advice: userdata, self: any): boolean  whether it is for this call; takes it
---@field remove fun(advice: userdata, only_dead: boolean): boolean, boolean, boolean
---whether this has ended it, whether it went with its object, whether it is there
---@field record fun(error: any): any  message handler: keeps the traceback
---@field forget fun()                 there is no traceback
---@field rethrow fun(error: any)      raises an error as if it had not been caught
---@field thread fun(): integer
---@field runner waxwing.MakeRunner?
---does what the observer does, in C as far as it can; nil: calls are not to be run in C
---@field arrange waxwing.ArrangePieces  gives it its pieces

---@type waxwing.Host, waxwing.AdviceLibrary
local host <const>, library <const> = ...
local claim <const>, record <const> = library.claim, library.record

---@class waxwing.Piece
---@field f function             the script's, to be called with `self` whatever the function
---@field own function           the same as the script has it
---@field advice userdata
---@field once boolean
---@field point waxwing.Point
---@field what string

---@class waxwing.Point
---@field number integer
---@field has_receiver boolean
---@field is_initializer boolean
---@field counts_results boolean  a call may return not just one result, or return `self`
---@field inouts integer[]        which arguments are `inout`
---@field original function       takes `self` whatever the function
---@field own_original function   the same as the host has it
---@field runner function?        the override that runs the pieces, if it is C's
---@field before waxwing.Piece[] replaced when it changes: calls go on with what they began with
---@field after waxwing.Piece[]
---@field is_observed boolean     the override that runs them is there
local points <const> = {}

local nothing <const> = {}

-- Pieces ------------------------------------------------------------------------------------------

local function without(list, piece)
  local rest <const> = {}
  for _, other in ipairs(list) do
    if other ~= piece then rest[#rest + 1] = other end
  end
  return rest
end

local function with(list, piece)
  local all <const> = table.move(list, 1, #list, 1, {})
  all[#all + 1] = piece
  return all
end

--- The calls that begin from now on have these pieces.
local function set_pieces(point, before, after)
  point.before, point.after = before, after
  if point.runner then library.arrange(point.runner, point, before, after, point.own_original) end
end

--- The piece has ended: no call starts it any more.
local function drop(piece)
  local point <const> = piece.point
  if piece.what ~= "instead" then
    set_pieces(point, without(point.before, piece), without(point.after, piece))
    point.is_observed = #point.before + #point.after > 0
  end
  piece.f, piece.own = nil, nil
  host.settle(point.number, piece.advice)
end

--- Whether the piece is for this call. If so it is the caller's to run.
local function takes(piece, self)
  return claim(piece.advice, self)
end

--- The function of a piece that takes the call.
local function taken(piece)
  local f <const> = piece.f
  if piece.once then drop(piece) end
  return f
end

-- Errors ------------------------------------------------------------------------------------------

local function fail(piece, message)
  if host.failed(piece.advice, message) then library.rethrow(message) end
end

--- What a piece returned, if it did: (piece, pcall's results) -> table or nil
local function given(piece, succeeded, ...)
  if not succeeded then
    fail(piece, (...))
  elseif select("#", ...) > 0 then
    return table.pack(...)
  end
end

--- Whether the values can be what the piece returned them as. If not, that is reported.
local function fits(piece, is_result, ...)
  local reason <const> = host.fits(piece.advice, is_result, ...)
  if not reason then return true end
  library.forget()
  fail(piece, reason)
  return false
end

-- Before the call ---------------------------------------------------------------------------------

--- The arguments with the first ones replaced.
local function replaced(values, ...)
  local arguments <const> = table.pack(...)
  table.move(values, 1, values.n, 1, arguments)
  return table.unpack(arguments, 1, arguments.n)
end

--- Runs the pieces from the i-th on; returns the arguments for the original.
local function run_before(before, i, self, ...)
  for index = i, #before do
    local piece <const> = before[index]
    if takes(piece, self) then
      local values <const> = given(piece, xpcall(taken(piece), record, self, ...))
      if values and fits(piece, false, table.unpack(values, 1, values.n)) then
        return run_before(before, index + 1, self, replaced(values, ...))
      end
    end
  end
  return ...
end

-- After the call ----------------------------------------------------------------------------------

local function is_same(piece, self, value)
  if value == self then return true end
  library.forget()
  fail(piece, "advice cannot replace what an initializer makes: change the properties of `self`, "
    .. "or override it")
  return false
end

--- Runs the pieces from the i-th on for a function of one result or none; returns that.
local function run_after(point, after, i, result, self, ...)
  for index = i, #after do
    local piece <const> = after[index]
    if takes(piece, self) then
      local values <const> = given(piece, xpcall(taken(piece), record, self, result, ...))
      if values and point.is_initializer then
        is_same(piece, self, values[1])
      elseif values and fits(piece, true, values[1]) then
        result = values[1]
      end
    end
  end
  return result
end

--- Calls a function that has one result or none, and runs the pieces.
local function call_simple(point, after, self, ...)
  local result = point.original(self, ...)
  if point.is_initializer and result ~= nil then result = self end
  return run_after(point, after, 1, result, self, ...)
end

--- A tuple as one value.
local function tuple(values, count)
  local made <const> = table.move(values, 1, count, 1, {})
  for i, label in ipairs(host.labels()) do
    if label ~= "" then made[label] = values[i] end
  end
  return made
end

--- The values of a tuple, in order, from a table of them.
local function elements(made, count)
  local values <const>, labels <const> = {}, host.labels()
  for i = 1, count do
    values[i] = made[i]
    if values[i] == nil and labels[i] and labels[i] ~= "" then values[i] = made[labels[i]] end
  end
  return values
end

--- What a piece returned as the values of an override: the result's, then the `inout` arguments',
--- then `self` where the function changes it and it is a value of Lua's.
--- Those that it left out are as in `current`.
local function merged(values, current, count)
  local all <const> = table.move(current, 1, current.n, 1, { n = current.n })
  if count > 1 and type(values[1]) == "table" then
    table.move(elements(values[1], count), 1, count, 1, all)
    return table.move(values, 2, values.n, count + 1, all)
  end
  return table.move(values, 1, values.n, 1, all)
end

--- The same for a function whose result may be a tuple, that has `inout` arguments or that returns
--- what it made of `self`.
local function call_counting(point, after, self, ...)
  local arguments <const> = table.pack(...)
  local current = table.pack(point.original(self, ...))
  local returns_self <const> = host.returns_self()
  local count <const> = current.n - #point.inouts - (returns_self and 1 or 0)
  for _, piece in ipairs(after) do
    if takes(piece, self) then
      if returns_self then self = current[current.n] end
      for i, place in ipairs(point.inouts) do arguments[place] = current[count + i] end
      local result = current[1]
      if count == 0 then result = nil end
      if count > 1 then result = tuple(current, count) end
      if point.is_initializer and result ~= nil then result = self end
      local values <const> = given(piece,
        xpcall(taken(piece), record, self, result, table.unpack(arguments, 1, arguments.n)))
      if values and (not point.is_initializer or is_same(piece, self, values[1])) then
        local all <const> = merged(values, current, count)
        if fits(piece, true, table.unpack(all, 1, all.n)) then current = all end
      end
    end
  end
  return table.unpack(current, 1, current.n)
end

--- The rest of a call that was begun in C, from a piece on. `values`: what that piece has returned;
--- nil: it has not been run.
local function go_on_before(point, before, after, i, values, self, ...)
  if values then
    if fits(before[i], false, table.unpack(values, 1, values.n)) then
      return go_on_before(point, before, after, i + 1, nil, self, replaced(values, ...))
    end
    i = i + 1
  end
  if #after == 0 then return point.original(self, run_before(before, i, self, ...)) end
  return call_simple(point, after, self, run_before(before, i, self, ...))
end

--- The same after the call.
local function go_on_after(point, _, after, i, values, result, self, ...)
  if not values then return run_after(point, after, i, result, self, ...) end
  if fits(after[i], true, values[1]) then result = values[1] end
  return run_after(point, after, i + 1, result, self, ...)
end

--- The Lua function of the override that runs the pieces.
local function observer(point)
  local call <const> = point.counts_results and call_counting or call_simple
  local function run(self, ...)
    local before <const>, after <const> = point.before, point.after
    if #after == 0 then return point.original(self, run_before(before, 1, self, ...)) end
    if #before == 0 then return call(point, after, self, ...) end
    return call(point, after, self, run_before(before, 1, self, ...))
  end
  if point.has_receiver then return run end
  return function(...) return run(nil, ...) end
end

--- The same function, or one that does in C what it does.
local function override_of(point)
  local run <const> = observer(point)
  if not library.runner or point.counts_results or point.is_initializer then return run end
  point.runner = point.runner or library.runner(run, fail, go_on_before, go_on_after)
  return point.runner
end

-- Tokens ------------------------------------------------------------------------------------------

local pieces_of <const> = setmetatable({}, { __mode = "k" }) -- token -> piece

--- Removes a piece; or, `only_dead`, if its object is dead.
local function remove(piece, only_dead)
  local ended <const>, is_gone <const>, is_there <const> = library.remove(piece.advice, only_dead)
  if ended then drop(piece) end
  return ended, is_gone, is_there
end

local token_methods <const> = {
  --- Takes the piece of advice away, also from calls that are under way.
  ---@return boolean  whether it was still there
  ---@return string?  why not
  remove = function(token)
    local piece <const> = pieces_of[token]
    if not piece then error("remove is called on a token, as token:remove()", 2) end
    if host.parallel() == "running" then
      error("advice of a parallel patch stays until the patch ends", 2)
    end
    local ended <const>, is_gone <const> = remove(piece, false)
    if is_gone then return false, "the object is gone" end
    return ended
  end,
}

local token_behaviour <const> = {
  __metatable = false,
  __name = "advice",
  __index = function(_, name)
    local method <const> = token_methods[name]
    if method then return method end
    error(string.format("a token has no `%s`, only remove()", tostring(name)), 2)
  end,
  __newindex = function() error("a token has no fields", 2) end,
  __tostring = function(token)
    local piece <const> = pieces_of[token]
    return piece.what .. " " .. piece.name
  end,
}

-- Pieces for objects that may be dead. They are looked through each time that they have doubled.
local watched = {}
local most_watched = 64

local function watch(piece)
  watched[#watched + 1] = piece
  if #watched <= most_watched then return end
  local living <const> = {}
  for _, one in ipairs(watched) do
    local _, _, is_there <const> = remove(one, true)
    if is_there then living[#living + 1] = one end
  end
  watched = living
  most_watched = math.max(64, 2 * #living)
end

-- Adding ------------------------------------------------------------------------------------------

local option_types <const> = { once = "boolean", instance = "userdata", thread = "integer" }
local option_meanings <const> = { once = "true or false", instance = "an object",
  thread = "a thread's id, an integer" }

local function check_options(options)
  if options == nil then return nothing end
  if type(options) ~= "table" then
    error(string.format("options are a table, { once = true }, not a %s", type(options)), 4)
  end
  for name, value in pairs(options) do
    local expected <const> = option_types[name]
    if not expected then
      error(string.format("advice has no option `%s`%s", tostring(name),
        host.near(tostring(name), "once instance thread")), 4)
    end
    if (math.type(value) or type(value)) ~= expected then
      local found <const> = type(value) == "number" and tostring(value) or "a " .. type(value)
      error(string.format("the option `%s` is %s, not %s", name, option_meanings[name], found), 4)
    end
  end
  if options.thread and options.thread <= 0 then
    error(string.format("the option `thread` is a thread's id, not %d", options.thread), 4)
  end
  return options
end

local function point_of(number)
  local point = points[number]
  if not point then
    local has_receiver <const>, is_initializer <const>, counts <const>, inouts <const>, original =
      host.layout(number)
    local own <const> = original
    if not has_receiver then original = function(_, ...) return own(...) end end
    point = {
      number = number, has_receiver = has_receiver, is_initializer = is_initializer,
      counts_results = counts, inouts = inouts, original = original,
      own_original = own,
      before = nothing, after = nothing, is_observed = false,
    }
    points[number] = point
  end
  return point
end

--- Lets the override of a point run the piece too; makes the override if there is none.
local function observe(point, piece)
  local is_after <const> = piece.what == "after"
  local override <const> = not point.is_observed and override_of(point)
  if is_after then
    set_pieces(point, point.before, with(point.after, piece))
  else
    set_pieces(point, with(point.before, piece), point.after)
  end
  if not override then
    return host.attach(point.number, nil, piece.advice, is_after, piece.own)
  end
  point.is_observed = true
  local done <const>, message <const> = pcall(host.observe, point.number, override, piece.advice,
    is_after, piece.own)
  if not done then
    set_pieces(point, nothing, nothing)
    point.is_observed = false
    error(message, 0)
  end
end

--- Adds a piece of advice to a Swift function.
---@param what "before"|"after"|"instead"
---@return table token
local function advise(scope, kind, name, what, f, options)
  if type(f) ~= "function" then
    error(string.format("advice is a function, not a %s", type(f)), 3)
  end
  options = check_options(options)
  local point <const> = point_of(host.point(scope, kind, name, options.instance))
  local once <const> = options.once == true
  local parallel <const> = host.parallel()
  if parallel == "running" then
    error("advice of a parallel patch is added while the patch loads", 3)
  elseif parallel and once then
    error("a parallel patch cannot use `once`: none of its Lua states knows the others' calls", 3)
  end
  local piece <const> = {
    f = f, own = f, once = once, point = point, what = what, name = name,
    advice = library.make(once, options.thread, options.instance, f),
  }
  if what == "instead" then
    host.instead(point.number, f, piece.advice)
  else
    if not point.has_receiver then piece.f = function(_, ...) return f(...) end end
    observe(point, piece)
  end
  if options.instance then watch(piece) end
  local token <const> = {}
  pieces_of[token] = piece
  return setmetatable(token, token_behaviour)
end

return advise, library.thread
