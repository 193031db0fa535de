// SPDX-License-Identifier: MIT

/// The superclass of classes of Lua's that have none: their objects have no Swift properties.
package class LuaObject {
  init() {}
}
