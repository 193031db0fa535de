-- SPDX-License-Identifier: MIT
--
-- Safe calls: what a method may be called with, how often, how long it may take, and what is returned
-- instead. Each guard is advice around a method, and the guard that is added last is the outermost.

---@class waxwing.Guard
local guard <const> = {}

---@class waxwing.GuardOptions
---@field default any   what is returned instead; `null` for nil, a function to make it of (self, ...)
---@field message string?  what is thrown, where the method throws and there is no default
---@field clock (fun(): number)?  seconds; the steady clock
---@field sleep fun(seconds: number)?  what waits; `sleep`

---@class waxwing.GuardToken
---@field calls integer     how many calls there were
---@field guarded integer   how many of them the guard has changed
---@field remove fun(self: waxwing.GuardToken): boolean

--- Whether a method throws, by the listing of its class; nil: it is not listed.
local function throws(target, selector)
  local base <const>, labels <const> = string.match(selector, "^([^(]+)(.*)$")
  local _, count <const> = string.gsub(labels, ":", "")
  for _, member in ipairs(typeof(target).members) do
    local name <const>, list <const>, rest <const> = string.match(member, "func ([^(]+)(%b())(.*)$")
    if name == base then
      local _, parameters <const> = string.gsub(list, "[%w_]+:", "")
      if parameters == count then return string.find(rest, "throws", 1, true) ~= nil end
    end
  end
end

local function check(what, target, selector, options)
  if type(target) ~= "table" or type(selector) ~= "string" then
    error(string.format("%s takes a class and a selector: guard.%s(Account, \"deposit(_:)\", …)", what, what), 3)
  end
  if options ~= nil and type(options) ~= "table" then
    error(string.format("the options of %s are a table, not a %s", what, type(options)), 3)
  end
  return options or {}
end

--- For guards that refuse calls: something has to be returned or thrown then.
local function check_refusal(what, target, selector, options)
  if options.default == nil and throws(target, selector) == false then
    error(string.format("%s does not throw: give %s a default, `null` for nil", selector, what), 3)
  end
end

--- What a call that is refused comes to.
local function refusal(options, problem, self, ...)
  local default = options.default
  if default == nil then throw(options.message or problem) end
  if default == null then return nil end
  if type(default) == "function" then return default(self, ...) end
  return default
end

--- Adds the advice. `body(token, self, ...)` returns what the method is to return.
local function add(target, selector, body)
  local token <const> = { calls = 0, guarded = 0 }
  local advice <const> = target:instead(selector, function(self, ...)
    token.calls = token.calls + 1
    return body(token, self, ...)
  end)
  function token.remove() return (advice:remove()) end
  return token
end

local function refuse(token, ...)
  token.guarded = token.guarded + 1
  return refusal(...)
end

--- Refuses calls whose index is not in a collection.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions  also `count`, a number or a function of self; `argument`: which argument is
---the index, 1; `first`: the least index, 0
---@return waxwing.GuardToken
function guard.index(target, selector, options)
  local given <const> = check("index", target, selector, options)
  local count <const>, position <const>, first <const> = given.count, given.argument or 1, given.first or 0
  if type(count) ~= "function" and math.type(count) ~= "integer" then
    error("index takes the option `count`: a number, or a function that gets the object", 2)
  end
  check_refusal("index", target, selector, given)
  return add(target, selector, function(token, self, ...)
    local index <const> = select(position, ...)
    local size <const> = type(count) == "function" and count(self) or count
    if math.type(index) == "integer" and index >= first and index < first + size then return original(self, ...) end
    return refuse(token, given, string.format("%s: the index %s is not in %d to %d", selector, tostring(index), first,
      first + size - 1), self, ...)
  end)
end

--- Refuses calls whose key is not in a table, or in what a function gives for the object.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions  also `keys`, a set or a function of self; `argument`: which argument, 1
---@return waxwing.GuardToken
function guard.key(target, selector, options)
  local given <const> = check("key", target, selector, options)
  local keys <const>, position <const> = given.keys, given.argument or 1
  if type(keys) ~= "table" and type(keys) ~= "function" then
    error("key takes the option `keys`: a table { name = true }, or a function that gets the object", 2)
  end
  check_refusal("key", target, selector, given)
  return add(target, selector, function(token, self, ...)
    local key <const> = select(position, ...)
    local known <const> = type(keys) == "function" and keys(self) or keys
    if key ~= nil and known[key] ~= nil then return original(self, ...) end
    return refuse(token, given, string.format("%s: there is no key '%s'", selector, tostring(key)), self, ...)
  end)
end

--- Replaces results that are nil or null.
---@param target table
---@param selector string
---@param value any  or a function of (self, ...)
---@return waxwing.GuardToken
function guard.default(target, selector, value)
  check("default", target, selector)
  if value == nil then error("default takes what is returned in place of nil", 2) end
  return add(target, selector, function(token, self, ...)
    local result <const> = original(self, ...)
    if result ~= nil and result ~= null then return result end
    return refuse(token, { default = value }, nil, self, ...)
  end)
end

--- Checks arguments, in order. A check gets an argument and returns true, or false and why not; or it
--- returns true and what the argument is to be instead.
---@param target table
---@param selector string
---@param checks table<integer, fun(value: any): boolean, any>
---@param options waxwing.GuardOptions?
---@return waxwing.GuardToken
function guard.arguments(target, selector, checks, options)
  local given <const> = check("arguments", target, selector, options)
  if type(checks) ~= "table" or next(checks) == nil then
    error("arguments takes a table of functions, by the positions of the arguments", 2)
  end
  check_refusal("arguments", target, selector, given)
  local positions <const> = {}
  for position, f in next, checks do
    if math.type(position) ~= "integer" or type(f) ~= "function" then
      error("arguments takes a table of functions, by the positions of the arguments", 2)
    end
    positions[#positions + 1] = position
  end
  table.sort(positions)
  return add(target, selector, function(token, self, ...)
    local arguments <const> = table.pack(...)
    local is_changed = false
    for _, position in ipairs(positions) do
      local is_good <const>, other <const> = checks[position](arguments[position])
      if not is_good then
        return refuse(token, given, string.format("%s: argument %d is refused: %s", selector, position,
          tostring(other or arguments[position])), self, ...)
      end
      if other ~= nil then
        arguments[position] = other
        is_changed = true
      end
    end
    if is_changed then token.guarded = token.guarded + 1 end
    return original(self, table.unpack(arguments, 1, arguments.n))
  end)
end

--- A check for `arguments`: numbers are brought between two bounds.
---@param least number
---@param greatest number
---@return fun(value: number): boolean, number?
function guard.clamp(least, greatest)
  return function(value)
    local bounded <const> = math.max(least, math.min(value, greatest))
    if bounded ~= value then return true, bounded end
    return true
  end
end

local numbers = 0

--- A place for what belongs to one object: a field that the object has, or one table for all.
local function storage(target, is_per_object, make)
  if not is_per_object then
    local all <const> = make()
    return function() return all end
  end
  numbers = numbers + 1
  local name <const> = "waxwingGuard" .. numbers
  target:field(name)
  return function(self)
    local found = self[name]
    if not found then
      found = make()
      self[name] = found
    end
    return found
  end
end

--- Lets so many calls through in so many seconds; a token bucket, which refills steadily.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions  also `count`, `seconds`, and `per_object`
---@return waxwing.GuardToken
function guard.rate(target, selector, options)
  local given <const> = check("rate", target, selector, options)
  local count <const>, seconds <const> = given.count, given.seconds or 1
  if type(count) ~= "number" or count < 1 or type(seconds) ~= "number" or seconds <= 0 then
    error("rate takes the options `count`, at least 1, and `seconds`, more than 0", 2)
  end
  check_refusal("rate", target, selector, given)
  local now <const> = given.clock or clock
  local bucket_of <const> = storage(target, given.per_object, function() return { level = count, at = now() } end)
  return add(target, selector, function(token, self, ...)
    local bucket <const>, time <const> = bucket_of(self), now()
    bucket.level = math.min(count, bucket.level + (time - bucket.at) * count / seconds)
    bucket.at = time
    if bucket.level >= 1 then
      bucket.level = bucket.level - 1
      return original(self, ...)
    end
    return refuse(token, given, string.format("%s: more than %g calls in %g s", selector, count, seconds), self, ...)
  end)
end

--- Stops calling a method that fails again and again, and tries it again after a while.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions?  also `failures`, 5, and `reset`, 30 seconds
---@return waxwing.GuardToken  also `state`: "closed", "open" or "half-open"
function guard.breaker(target, selector, options)
  local given <const> = check("breaker", target, selector, options)
  local most <const>, reset <const> = given.failures or 5, given.reset or 30
  if throws(target, selector) == false then
    error(string.format("%s does not throw: a breaker would see no failure", selector), 2)
  end
  local now <const> = given.clock or clock
  local failures, opened_at, is_trying = 0, nil, false
  local token
  token = add(target, selector, function(this, self, ...)
    local is_open <const> = opened_at ~= nil
    if is_open and (is_trying or now() - opened_at < reset) then
      return refuse(this, given, string.format("%s has failed %d times; calls go on after %g s", selector, failures,
        reset), self, ...)
    end
    if is_open then
      is_trying = true
      this.state = "half-open"
    end
    local results <const> = table.pack(pcall(original, self, ...))
    if is_open then is_trying = false end
    if results[1] then
      failures, opened_at, this.state = 0, nil, "closed"
      return table.unpack(results, 2, results.n)
    end
    failures = failures + 1
    if is_open or failures >= most then opened_at, this.state = now(), "open" end
    throw(results[2])
  end)
  token.state = "closed"
  return token
end

--- Calls a method again that has thrown. Async methods wait in between; others are called again at once.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions?  also `attempts`, 3; `delay`, 0 seconds; `backoff`, by what the delay is
---multiplied each time, 2; `when`, a function of the error that says whether to try again
---@return waxwing.GuardToken
function guard.retry(target, selector, options)
  local given <const> = check("retry", target, selector, options)
  local attempts <const>, backoff <const> = given.attempts or 3, given.backoff or 2
  if math.type(attempts) ~= "integer" or attempts < 1 then error("retry takes at least 1 attempt", 2) end
  local wait <const> = given.sleep or sleep
  return add(target, selector, function(token, self, ...)
    local delay = given.delay or 0
    for attempt = 1, attempts do
      local results <const> = table.pack(pcall(original, self, ...))
      if results[1] then return table.unpack(results, 2, results.n) end
      local may_repeat <const> = not given.when or given.when(results[2])
      if attempt == attempts or not may_repeat then
        if given.default ~= nil then return refuse(token, given, nil, self, ...) end
        throw(results[2])
      end
      token.guarded = token.guarded + 1
      if delay > 0 then wait(delay) end
      delay = delay * backoff
    end
  end)
end

--- Cancels an async method that takes longer.
---@param target table
---@param selector string
---@param seconds number
---@param options waxwing.GuardOptions?
---@return waxwing.GuardToken
function guard.timeout(target, selector, seconds, options)
  local given <const> = check("timeout", target, selector, options)
  if type(seconds) ~= "number" or seconds <= 0 then error("timeout takes seconds, more than 0", 2) end
  check_refusal("timeout", target, selector, given)
  return add(target, selector, function(token, self, ...)
    local arguments <const>, call <const> = table.pack(...), original
    local results <const> = table.pack(pcall(timeout, seconds, function()
      return call(self, table.unpack(arguments, 1, arguments.n))
    end))
    if results[1] then return table.unpack(results, 2, results.n) end
    local problem <const> = tostring(results[2])
    if string.find(problem, "timed out after", 1, true) then return refuse(token, given, problem, self, ...) end
    throw(results[2])
  end)
end

--- Remembers results by a key, which is made of the arguments.
---@param target table
---@param selector string
---@param options waxwing.GuardOptions?  also `key`, a function of (self, ...) that gives a string, a number or a
---boolean, or nil for no remembering; `size`, 100; `seconds` that a result is good for; `per_object`
---@return waxwing.GuardToken  also `clear`, which forgets all that is shared
function guard.memoize(target, selector, options)
  local given <const> = check("memoize", target, selector, options)
  local size <const>, now <const> = given.size or 100, given.clock or clock
  local key_of <const> = given.key or function(_, ...)
    local parts <const> = {}
    for index = 1, select("#", ...) do
      local value <const> = select(index, ...)
      if type(value) ~= "string" and type(value) ~= "number" and type(value) ~= "boolean" then return nil end
      parts[index] = math.type(value) == "float" and string.format("%a", value) or type(value) .. tostring(value)
    end
    return table.concat(parts, "\0")
  end
  local function make() return { entries = {}, order = {}, first = 1 } end
  local memory_of <const> = storage(target, given.per_object, make)
  local token <const> = add(target, selector, function(this, self, ...)
    local key <const> = key_of(self, ...)
    if key == nil then return original(self, ...) end
    local memory <const> = memory_of(self)
    local entry <const> = memory.entries[key]
    if entry and (not given.seconds or now() - entry.at < given.seconds) then
      this.guarded = this.guarded + 1
      return table.unpack(entry.results, 1, entry.results.n)
    end
    local results <const> = table.pack(original(self, ...))
    if not memory.entries[key] then
      memory.order[#memory.order + 1] = key
      if #memory.order > size then memory.entries[table.remove(memory.order, 1)] = nil end
    end
    memory.entries[key] = { results = results, at = now() }
    return table.unpack(results, 1, results.n)
  end)
  function token.clear()
    if given.per_object then error("what is remembered per object ends with the object", 2) end
    local memory <const> = memory_of()
    memory.entries, memory.order = {}, {}
  end
  return token
end

--- What is returned where the method throws.
---@param target table
---@param selector string
---@param value any  or a function of (error, self, ...); `null` for nil
---@return waxwing.GuardToken
function guard.fallback(target, selector, value)
  check("fallback", target, selector)
  if value == nil then error("fallback takes what is returned where the method throws", 2) end
  return add(target, selector, function(token, self, ...)
    local results <const> = table.pack(pcall(original, self, ...))
    if results[1] then return table.unpack(results, 2, results.n) end
    token.guarded = token.guarded + 1
    if type(value) == "function" then return value(results[2], self, ...) end
    if value == null then return nil end
    return value
  end)
end

return guard
