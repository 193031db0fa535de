// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingLua

/// Whether two values in a buffer are the same: equal scalars, the same object, copies of a Swift
/// value that agree to the byte, tables of such.
enum ValueEquality {
  static func check(_ left: LuaReader, _ right: LuaReader) -> Bool {
    var (left, right) = (left, right)
    return check(&left, &right)
  }

  private static func check(_ left: inout LuaReader, _ right: inout LuaReader) -> Bool {
    let (a, b) = (left.read(), right.read())
    if a.isString, b.isString {
      let (text, other) = (left.bytes(of: a), right.bytes(of: b))
      return text.count == other.count && text.elementsEqual(other)
    }
    guard a.tag == b.tag else { return false }
    switch wax_lua_tag(rawValue: a.tag) {
    case WAX_LUA_VALUE_ARRAY, WAX_LUA_VALUE_TABLE:
      guard a.count == b.count else { return false }
      let parts = Int(a.count) * (a.tag == WAX_LUA_VALUE_TABLE.rawValue ? 2 : 1)
      for _ in 0..<parts where !check(&left, &right) { return false }
      return true
    case WAX_LUA_VALUE_PROXY: return areSame(a, b)
    default: return a.integer == b.integer
    }
  }

  private static func areSame(_ a: wax_lua_value, _ b: wax_lua_value) -> Bool {
    if a.pointer == b.pointer { return true }
    if let left = LiveCollection.of(a), let right = LiveCollection.of(b) {
      // They share their storage until one of them is changed.
      let codec = left.form.codec
      return codec === right.form.codec
        && memcmp(left.contents, right.contents, codec.size) == 0
    }
    let left = a.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    let right = b.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard left.kind == right.kind, left.type == right.type else { return false }
    guard left.kind == WAX_PROXY_KIND_VALUE.rawValue, let type = left.type,
      let memory = left.pointer, let other = right.pointer
    else { return left.pointer == right.pointer }
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    return memcmp(memory, other, _openExistential(TypeMetadata.type(at: type), do: size)) == 0
  }
}
