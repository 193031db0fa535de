// SPDX-License-Identifier: MIT

/// One field of a table of constants: `key = value`, `[key] = value`, or a value alone.
struct LuaLiteralField: Hashable, Sendable {
  /// Nil for a value alone.
  let key: LuaLiteral?
  let value: LuaLiteral
}
