-- SPDX-License-Identifier: MIT
--
-- Routes of URLs in the manner of JLRoutes by Joel Levin: patterns with variables, optional parts and
-- wildcards, by scheme and priority, with handlers that may decline.

---@class waxwing.Routers
---@field decode_plus boolean    `+` in variables and queries is a space; true
---@field host_as_path boolean   every host is the first part of the path; without it, those without a dot are,
---but not localhost
local router <const> = { decode_plus = true, host_as_path = false }

--- The keys of a handler's parameters that are not from the URL's own variables.
router.PATTERN = "JLRoutePattern"
router.URL = "JLRouteURL"
router.SCHEME = "JLRouteScheme"
router.WILDCARD = "JLRouteWildcardComponents"
router.NAMESPACE = "JLRouteNamespace"

--- The scheme of the routes that are for all schemes.
router.GLOBAL = "JLRoutesGlobalRoutesScheme"

---@alias waxwing.RouteHandler fun(parameters: table<string, any>): any  false: it declines, and others are tried

---@class waxwing.Routes
---@field scheme string
---@field falls_back boolean   what does not match is tried with the global routes; false
---@field unmatched fun(url: string, extra: table?)?  what is called if nothing matches

local Routes <const> = {}
Routes.__index = Routes

local all <const> = {} ---@type table<string, waxwing.Routes>

--- The routes of a scheme; the global ones without one.
---@param scheme string?
---@return waxwing.Routes
function router.scheme(scheme)
  local name <const> = scheme or router.GLOBAL
  if type(name) ~= "string" then error(string.format("a scheme is a string, not a %s", type(name)), 2) end
  all[name] = all[name] or setmetatable({ scheme = name, routes = {}, falls_back = false }, Routes)
  return all[name]
end

--- Forgets a scheme with its routes.
---@param scheme string
function router.remove_scheme(scheme) all[scheme] = nil end

--- Forgets all schemes.
function router.remove_all()
  for scheme in next, all do all[scheme] = nil end
end

--- The patterns of all schemes, by scheme, each in the order in which they are tried.
---@return table<string, string[]>
function router.patterns()
  local found <const> = {}
  for scheme, routes in next, all do found[scheme] = routes:patterns() end
  return found
end

-- Patterns ----------------------------------------------------------------------------------------

--- "/path(/a)(/b)" -> the patterns that it stands for, the longest first.
local function expand(pattern)
  local before <const>, inner <const>, after <const> = string.match(pattern, "^([^()]*)(%b())(.*)$")
  if not before then
    if string.find(pattern, "[()]") then
      error(string.format("the parentheses of the pattern '%s' do not match", pattern), 4)
    end
    return { pattern }
  end
  local list <const> = {}
  local rest <const> = expand(after)
  for _, middle in ipairs { string.sub(inner, 2, -2), "" } do
    for _, own in ipairs(expand(middle)) do
      for _, tail in ipairs(rest) do list[#list + 1] = before .. own .. tail end
    end
  end
  table.sort(list, function(a, b) return #a > #b end)
  local unique <const>, known <const> = {}, {}
  for _, item in ipairs(list) do
    if not known[item] then unique[#unique + 1] = item end
    known[item] = true
  end
  return unique
end

local function split(path)
  local parts <const> = {}
  for part in string.gmatch(path, "[^/]+") do parts[#parts + 1] = part end
  return parts
end

local sequence = 0

--- Adds a route, or several with the same handler. Of equal priority the older one is tried first.
---@param patterns string|string[]  "/user/:id(/edit)", "/files/*"
---@param handler waxwing.RouteHandler?  without one the URL counts as handled
---@param priority number?  the higher is tried first; 0
function Routes:add(patterns, handler, priority)
  if type(patterns) == "string" then patterns = { patterns } end
  if type(patterns) ~= "table" or handler ~= nil and type(handler) ~= "function" then
    error("add takes a pattern and a function: routes:add(\"/user/:id\", function(parameters) … end)", 2)
  end
  for _, pattern in ipairs(patterns) do
    for _, path in ipairs(expand(pattern)) do
      sequence = sequence + 1
      self.routes[#self.routes + 1] = {
        pattern = pattern, parts = split(path), handler = handler, priority = priority or 0, number = sequence,
      }
    end
  end
  table.sort(self.routes, function(a, b)
    if a.priority ~= b.priority then return a.priority > b.priority end
    return a.number < b.number
  end)
end

--- Removes the routes that were added with a pattern; its first slash does not count.
---@param pattern string
---@return boolean  whether there were any
function Routes:remove(pattern)
  local count <const>, wanted <const> = #self.routes, string.gsub(pattern, "^/", "")
  for index = count, 1, -1 do
    if string.gsub(self.routes[index].pattern, "^/", "") == wanted then table.remove(self.routes, index) end
  end
  return #self.routes < count
end

--- Removes all routes of the scheme.
function Routes:clear() self.routes = {} end

--- The patterns of the routes, in the order in which they are tried.
---@return string[]
function Routes:patterns()
  local list <const>, known <const> = {}, {}
  for _, route in ipairs(self.routes) do
    if not known[route.pattern] then list[#list + 1] = route.pattern end
    known[route.pattern] = true
  end
  return list
end

-- URLs --------------------------------------------------------------------------------------------

local function decode(text, is_plus_space)
  if is_plus_space then text = string.gsub(text, "%+", " ") end
  return (string.gsub(text, "%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

--- `a=1&b=2&b=3` into a table; what occurs several times is a list.
local function read_query(query, into)
  for item in string.gmatch(query, "[^&]+") do
    local name, value = string.match(item, "^([^=]*)=(.*)$")
    if not name then name, value = item, "" end
    name, value = decode(name, router.decode_plus), decode(value, router.decode_plus)
    if name ~= "" then
      local present <const> = into[name]
      if present == nil then
        into[name] = value
      elseif type(present) == "table" then
        present[#present + 1] = value
      else
        into[name] = { present, value }
      end
    end
  end
end

---@class waxwing.URLParts
---@field scheme string?
---@field parts string[]
---@field query table<string, any>

--- A URL's parts, as routes see them.
---@param url string
---@return waxwing.URLParts
function router.parse(url)
  if type(url) ~= "string" then error(string.format("a URL is a string, not a %s", type(url)), 2) end
  local query <const> = {}
  local before_fragment <const>, fragment <const> = string.match(url, "^([^#]*)#(.*)$")
  local rest, items <const> = string.match(before_fragment or url, "^([^?]*)%??(.*)$")
  read_query(items, query)
  local inner = "" -- a path in the fragment, also an empty one
  if fragment then
    local path_or_items <const>, more <const> = string.match(fragment, "^([^?]*)%??(.*)$")
    if more == "" and string.find(path_or_items, "=", 1, true) then
      read_query(path_or_items, query)
    else
      inner = "#" .. path_or_items
      read_query(more, query)
    end
  end
  local scheme <const>, hierarchy <const> = string.match(rest, "^(%a[%w+.-]*):(.*)$")
  rest = hierarchy or rest
  local authority <const>, path = string.match(rest, "^//([^/]*)(.*)$")
  path = path or rest
  local host <const> = authority and string.gsub(string.gsub(authority, "^.*@", ""), ":%d*$", "") or ""
  local is_part <const> = host ~= "" and (router.host_as_path
    or host ~= "localhost" and not string.find(host, ".", 1, true))
  if is_part then path = host .. path end
  local parts <const> = split(path .. inner)
  return { scheme = scheme, parts = parts, query = query }
end

--- The variables of a route for the parts of a path; nil: it does not match.
local function match(route, parts)
  local variables <const> = {}
  local pattern <const> = route.parts
  local is_open <const> = pattern[#pattern] == "*"
  if #pattern ~= #parts and not (is_open and #parts >= #pattern - 1) then return nil end
  for index, part in ipairs(pattern) do
    if part == "*" and index == #pattern then
      local rest <const> = {}
      for position = index, #parts do rest[#rest + 1] = decode(parts[position], router.decode_plus) end
      variables[router.WILDCARD] = rest
      break
    elseif string.sub(part, 1, 1) == ":" then
      local name <const> = string.gsub(string.sub(part, 2), "#$", "")
      variables[name] = decode(string.gsub(parts[index], "#$", ""), router.decode_plus)
    elseif part ~= parts[index] and part ~= "*" and part ~= decode(parts[index]) then
      return nil
    end
  end
  return variables
end

local function parameters_of(route, variables, parsed, url, extra, routes)
  local parameters <const> = {}
  for key, value in next, parsed.query do parameters[key] = value end
  for key, value in next, variables do parameters[key] = value end
  for key, value in next, extra or {} do parameters[key] = value end
  parameters[router.PATTERN] = route.pattern
  parameters[router.URL] = url
  parameters[router.SCHEME] = parsed.scheme
  parameters[router.NAMESPACE] = routes.scheme
  return parameters
end

--- Tries the routes; `runs`: calls the handlers.
local function try(routes, url, parsed, extra, runs)
  for _, route in ipairs { table.unpack(routes.routes) } do
    local variables <const> = match(route, parsed.parts)
    if variables then
      if not runs or not route.handler then return true end
      if route.handler(parameters_of(route, variables, parsed, url, extra, routes)) ~= false then return true end
    end
  end
  if routes.falls_back and routes.scheme ~= router.GLOBAL then
    local global <const> = all[router.GLOBAL]
    if global and try(global, url, parsed, extra, runs) then return true end
  end
  if runs and routes.unmatched then routes.unmatched(url, extra) end
  return false
end

--- Routes a URL with the routes of this scheme alone.
---@param url string
---@param extra table?  more parameters for the handler; they win over the URL's
---@return boolean  whether a handler took it
function Routes:route(url, extra)
  local handled <const> = try(self, url, router.parse(url), extra, true)
  return handled
end

--- Whether a route of this scheme matches; no handler is called.
---@param url string
---@return boolean
function Routes:can_route(url)
  local matches <const> = try(self, url, router.parse(url), nil, false)
  return matches
end

--- The routes for a URL: those of its scheme if there are any, else the global ones.
local function routes_for(parsed)
  return parsed.scheme and all[parsed.scheme] or router.scheme()
end

--- Routes a URL: with the routes of its scheme, or the global ones.
---@param url string
---@param extra table?
---@return boolean
function router.route(url, extra)
  local parsed <const> = router.parse(url)
  local handled <const> = try(routes_for(parsed), url, parsed, extra, true)
  return handled
end

--- Whether a URL can be routed.
---@param url string
---@return boolean
function router.can_route(url)
  local parsed <const> = router.parse(url)
  local matches <const> = try(routes_for(parsed), url, parsed, nil, false)
  return matches
end

return router
