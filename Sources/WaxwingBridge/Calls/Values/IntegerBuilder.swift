// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
internal import WaxwingValues

/// `Int8(300)`, `Int(2.5)`: integers from Lua's numbers, by the standard library's initializers, which
/// are inlined wherever they are used. Where those end the program this is an error.
package enum IntegerBuilder {
  /// Pushes an integer of the type that Lua code has made of a number.
  /// - Returns: False if the type is no integer, or the call is not with one number.
  package static func push(_ type: (any Any.Type)?, _ call: LuaCall) throws(LuaRaise) -> Bool {
    guard let type = type as? any FixedWidthInteger.Type, call.argumentCount == 1 else {
      return false
    }
    let reader = call.arguments
    switch wax_lua_tag(rawValue: reader.peeked.tag) {
    case WAX_LUA_VALUE_INTEGER: try push(type, reader.peeked.integer, reader, call.writer)
    case WAX_LUA_VALUE_NUMBER: try push(type, reader.peeked.number, reader, call.writer)
    default: return false
    }
    return true
  }

  private static func push<Value: FixedWidthInteger>(
    _: Value.Type, _ integer: Int64, _ reader: LuaReader, _ writer: LuaWriter
  ) throws(LuaRaise) {
    try push(Value(exactly: integer), reader, writer)
  }

  /// Towards zero, as in Swift.
  private static func push<Value: FixedWidthInteger>(
    _: Value.Type, _ number: Double, _ reader: LuaReader, _ writer: LuaWriter
  ) throws(LuaRaise) {
    try push(Value(exactly: number.rounded(.towardZero)), reader, writer)
  }

  private static func push<Value: FixedWidthInteger>(
    _ value: Value?, _ reader: LuaReader, _ writer: LuaWriter
  ) throws(LuaRaise) {
    let name = TypeName.short(Value.self)
    guard let value else {
      let given = ValueDescription.of(reader.peeked, reader)
      throw .message("\(name)(…): \(given) is out of its range, \(Value.min) to \(Value.max)")
    }
    do throws(UnsupportedType) {
      let codec = try CodecLibrary.codec(for: Value.self)
      withUnsafePointer(to: value) { codec.push($0, writer) }
    } catch {
      throw .message("\(name): \(error)")
    }
  }
}
