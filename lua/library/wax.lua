-- SPDX-License-Identifier: MIT
--
-- The spelling of Wax by Corey Johnson: waxClass and waxInlineClass, labels after underscores, and names
-- with UNDERxLINE and DOLLARxMARK.

---@class waxwing.Wax
local wax <const> = {}

local prelude_class <const> = waxClass

--- Whether a class has a member of this name, from its listing. Classes of the patch have none.
local function has(target, selector)
  local listing <const> = typeof(target)
  if type(listing) ~= "table" then return false end
  local base <const>, labels <const> = string.match(selector, "^([^(]+)(.*)$")
  for _, member in ipairs(listing.members) do
    local name <const>, list <const> = string.match(member, "func ([^(]+)(%b())")
    if name == base then
      local found = "("
      for label in string.gmatch(list, "([%w_]+):") do found = found .. label .. ":" end
      if found .. ")" == labels or labels == "" then return true end
    end
  end
  return false
end

--- Wax's name of a method as Swift's: UNDERxLINE is _, DOLLARxMARK is $, and what follows an underscore is
--- a label: `cell_forRow_in` is `cell(forRow:in:)`, or `cell(_:forRow:in:)` if the class has that.
---@param name string
---@param target table?  the class, which decides where there are several ways
---@return string
function wax.selector(name, target)
  if type(name) ~= "string" then error(string.format("selector takes a name, not a %s", type(name)), 2) end
  local original <const>, rest = string.match(name, "^(ORIG)(.+)$")
  rest = rest or name
  local is_literal <const> = string.find(rest, "[%(%)]") ~= nil
  local plain <const> = string.gsub(string.gsub(rest, "UNDERxLINE", "\1"), "DOLLARxMARK", "$")
  local function finish(selector) return (original or "") .. string.gsub(selector, "\1", "_") end
  if is_literal or not string.find(plain, "_", 1, true) then return finish(plain) end
  if target and has(target, finish(plain)) then return finish(plain) end
  local base <const>, labels <const> = string.match(plain, "^([^_]+)_(.*)$")
  if not base then return finish(plain) end
  local list = ""
  for label in string.gmatch(labels .. "_", "([^_]*)_") do list = list .. (label == "" and "_" or label) .. ":" end
  local direct <const>, with_first <const> = base .. "(" .. list .. ")", base .. "(_:" .. list .. ")"
  if target and not has(target, finish(direct)) and has(target, finish(with_first)) then return finish(with_first) end
  return finish(direct)
end

--- From here on, functions assigned to globals override methods of a class, or are those of a new one.
---@param names { [1]: string, [2]: table|string|nil, protocols: string[]? }
---@return table class
function wax.waxClass(names)
  if type(names) ~= "table" or type(names[1]) ~= "string" then
    error("waxClass takes a table with a class's name: waxClass{\"Bank.Account\"}", 2)
  end
  local copy <const> = {
    translate = function(name, target, value)
      local selector <const> = wax.selector(name, target)
      -- A protocol's requirement may have a first parameter without a label: nothing tells.
      local base <const>, labels <const> = string.match(selector, "^([^(]+)%((%a.*)$")
      if base and names.protocols then target[base .. "(_:" .. labels] = value end
      return selector
    end,
  }
  for key, value in next, names do copy[key] = value end
  local made <const> = prelude_class(copy)
  return made
end

--- A class whose methods are assigned to what it returns, with Wax's names; globals stay globals.
---@param names { [1]: string, [2]: table|string|nil, protocols: string[]? }
---@return table class
function wax.waxInlineClass(names)
  if type(names) ~= "table" or type(names[1]) ~= "string" then
    error("waxInlineClass takes a table with a class's name: waxInlineClass{\"Bank.Account\"}", 2)
  end
  local target
  if names[2] ~= nil or names.protocols ~= nil then
    target = class(names[1], names[2], names.protocols)
  else
    target = class(names[1])
  end
  return setmetatable({}, {
    __index = function(_, key)
      if type(key) == "string" then return target[wax.selector(key, target)] end
      return target[key]
    end,
    __newindex = function(_, key, value) target[wax.selector(key, target)] = value end,
    __call = function(_, ...) return target(...) end,
    __tostring = function() return tostring(target) end,
  })
end

--- The class of a name, as `wax.class.Name` or `wax.class["Module.Name"]`.
wax.class = setmetatable({}, {
  __index = function(_, name) return class(name) end,
})

--- Calls a method by Wax's name: `wax.call(self, "ORIGcell_forRow_in", row, section)`.
---@param object any
---@param name string
---@param ... any
---@return any ...
function wax.call(object, name, ...)
  local target <const> = type(object) == "userdata" and class(object) or nil
  local selector <const> = wax.selector(name, target)
  return object[selector](object, ...)
end

--- Makes `waxClass`, `waxInlineClass` and `wax` globals of the patch.
function wax.globals()
  rawset(_G, "wax", wax)
  rawset(_G, "waxClass", wax.waxClass)
  rawset(_G, "waxInlineClass", wax.waxInlineClass)
end

return wax
