// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// Writes values for Lua, one after the other; a collection is its head and then its parts.
public struct LuaWriter {
  package let buffer: UnsafeMutablePointer<wax_lua_buffer>

  package init(_ buffer: UnsafeMutablePointer<wax_lua_buffer>) {
    self.buffer = buffer
  }

  package func `nil`() { wax_lua_buffer_add(buffer, WAX_LUA_VALUE_NIL, 0) }
  /// The `null` that stands for nil inside a table.
  package func null() { wax_lua_buffer_add(buffer, WAX_LUA_VALUE_NULL, 0) }
  package func boolean(_ value: Bool) {
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_BOOLEAN, value ? 1 : 0)
  }
  package func integer(_ value: Int64) { wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, value) }
  package func integer(_ value: Int) {
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(value))
  }
  package func number(_ value: Double) { wax_lua_buffer_add_number(buffer, value) }

  package func string(_ value: String) {
    var value = value
    value.withUTF8 { wax_lua_buffer_add_string(buffer, $0.baseAddress, $0.count) }
  }

  package func bytes(_ value: UnsafeRawBufferPointer) {
    wax_lua_buffer_add_string(buffer, value.baseAddress, value.count)
  }

  /// A borrowed reference to a native Swift object: its proxy retains it.
  package func object(_ pointer: UnsafeMutableRawPointer) {
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_OBJECT, pointer)
  }

  /// The type object of the Swift type with this metadata.
  package func metatype(_ metadata: UnsafeRawPointer) {
    wax_lua_buffer_add_pointer(
      buffer, WAX_LUA_VALUE_METATYPE, UnsafeMutableRawPointer(mutating: metadata))
  }

  /// A new proxy that takes over what `pointer` owns.
  package func proxy(
    _ kind: wax_proxy_kind, _ pointer: UnsafeMutableRawPointer?, type: UnsafeRawPointer?
  ) {
    wax_lua_buffer_add_proxy(buffer, kind.rawValue, pointer, type)
  }

  package func function(_ callback: UnsafeMutablePointer<wax_lua_callback>) {
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_FUNCTION, callback)
  }

  package func reference(_ reference: Int32) {
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_REFERENCE, Int64(reference))
  }

  /// Writes the value that a table has at this position, as the very same value.
  package func part(_ position: Int) {
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_PART, Int64(position))
  }

  /// A sequence; its `count` elements follow.
  package func array(count: Int) {
    wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_ARRAY, UInt32(clamping: count))
  }

  /// A table; `count` pairs follow, each a key and a value.
  package func table(count: Int) {
    wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_TABLE, UInt32(clamping: count))
  }

  /// A table whose length is the number of its pairs, for what has a `count` in Swift; `count` pairs follow.
  package func dictionary(count: Int) {
    wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_DICTIONARY, UInt32(clamping: count))
  }
}
