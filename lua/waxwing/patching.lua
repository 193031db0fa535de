-- SPDX-License-Identifier: MIT
--
-- What `patching(Type)` gives: the parts of a type object behind the program's members of the same
-- names. It is loaded when the first is asked for.

--- Whether a name is that of a piece of advice, by name.
local advice <const>, advice_function <const> = ...

---@param type_object table
---@param reserved table  its `parts`, `scope`, `title`, and `super` if it has one
return function(type_object, reserved)
  local view <const>, title <const> = {}, string.format("patching(%s)", reserved.title)
  return setmetatable(view, {
    __metatable = false,
    __name = title,
    __tostring = function() return title end,
    __index = function(_, name)
      local member <const> = reserved.parts[name]
      if member ~= nil then return member end
      if name == "super" and reserved.super then return reserved.super() end
      if advice[name] and reserved.scope then
        return advice_function(view, reserved.scope, "method", title, name)
      end
      error(string.format("%s has no `%s`: it has what a type object has besides the program's "
        .. "members, such as get, set, static and before", title, tostring(name)), 2)
    end,
    __newindex = function(_, name, f) type_object[name] = f end,
  })
end
