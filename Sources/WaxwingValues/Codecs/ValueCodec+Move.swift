// SPDX-License-Identifier: MIT

package import CWaxwingLua

extension ValueCodec {
  /// How C moves such values; nil: it cannot.
  package var move: wax_lua_move? {
    if let plain { return plain.move }
    return self is StringCodec ? WAX_LUA_MOVE_STRING : nil
  }
}

extension PlainKind {
  /// How C moves such values: the numbers are the same.
  package var move: wax_lua_move { wax_lua_move(UInt32(rawValue)) }
}
