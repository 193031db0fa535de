// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import CWaxwingProxies

/// Writes values for Lua, one after the other; a collection is its head and then its parts.
public struct LuaWriter {
  package let buffer: UnsafeMutablePointer<waxwing_buffer>

  package init(_ buffer: UnsafeMutablePointer<waxwing_buffer>) {
    self.buffer = buffer
  }

  package func `nil`() { waxwing_buffer_add(buffer, WAXWING_NIL, 0) }
  /// The `null` that stands for nil inside a table.
  package func null() { waxwing_buffer_add(buffer, WAXWING_NULL, 0) }
  package func boolean(_ value: Bool) { waxwing_buffer_add(buffer, WAXWING_BOOLEAN, value ? 1 : 0) }
  package func integer(_ value: Int64) { waxwing_buffer_add(buffer, WAXWING_INTEGER, value) }
  package func integer(_ value: Int) { waxwing_buffer_add(buffer, WAXWING_INTEGER, Int64(value)) }
  package func number(_ value: Double) { waxwing_buffer_add_number(buffer, value) }

  package func string(_ value: String) {
    var value = value
    value.withUTF8 { waxwing_buffer_add_string(buffer, $0.baseAddress, $0.count) }
  }

  package func bytes(_ value: UnsafeRawBufferPointer) {
    waxwing_buffer_add_string(buffer, value.baseAddress, value.count)
  }

  /// A borrowed reference to a native Swift object: its proxy retains it.
  package func object(_ pointer: UnsafeMutableRawPointer) {
    waxwing_buffer_add_pointer(buffer, WAXWING_OBJECT, pointer)
  }

  /// The face of the Swift type with this metadata.
  package func metatype(_ metadata: UnsafeRawPointer) {
    waxwing_buffer_add_pointer(
      buffer, WAXWING_METATYPE, UnsafeMutableRawPointer(mutating: metadata))
  }

  /// A new proxy that takes over what `pointer` owns.
  package func proxy(
    _ kind: waxwing_proxy_kind, _ pointer: UnsafeMutableRawPointer?, type: UnsafeRawPointer?
  ) {
    waxwing_buffer_add_proxy(buffer, kind.rawValue, pointer, type)
  }

  package func function(_ callback: UnsafeMutablePointer<waxwing_callback>) {
    waxwing_buffer_add_pointer(buffer, WAXWING_FUNCTION, callback)
  }

  package func reference(_ reference: Int32) {
    waxwing_buffer_add(buffer, WAXWING_REFERENCE, Int64(reference))
  }

  /// A sequence; its `count` elements follow.
  package func array(count: Int) {
    waxwing_buffer_add_collection(buffer, WAXWING_ARRAY, UInt32(clamping: count))
  }

  /// A table; `count` pairs follow, each a key and a value.
  package func table(count: Int) {
    waxwing_buffer_add_collection(buffer, WAXWING_TABLE, UInt32(clamping: count))
  }
}
