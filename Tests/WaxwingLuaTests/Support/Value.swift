// SPDX-License-Identifier: MIT

import CWaxwingLua
import WaxwingLua

/// A value that crosses, in a form that can be compared.
indirect enum Value: Hashable, Sendable {
  case `nil`, null, function, cycle, tooDeep
  case boolean(Bool)
  case integer(Int64)
  /// By its bits, so that NaN equals itself and 0 is not -0.
  case number(UInt64)
  case string([UInt8])
  case object(UInt)
  case proxy(kind: UInt32)
  case array([Value])
  /// In any order.
  case table([Value: Value])
  case other(String)

  static func double(_ value: Double) -> Value { .number(value.bitPattern) }
  static func text(_ value: String) -> Value { .string(Array(value.utf8)) }

  init(_ reader: inout LuaReader) {
    let value = reader.read()
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_NIL: self = .nil
    case WAX_LUA_VALUE_NULL: self = .null
    case WAX_LUA_VALUE_FUNCTION: self = .function
    case WAX_LUA_VALUE_CYCLE: self = .cycle
    case WAX_LUA_VALUE_TOO_DEEP: self = .tooDeep
    case WAX_LUA_VALUE_BOOLEAN: self = .boolean(value.integer != 0)
    case WAX_LUA_VALUE_INTEGER: self = .integer(value.integer)
    case WAX_LUA_VALUE_NUMBER: self = .number(value.number.bitPattern)
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES: self = .string(Array(reader.bytes(of: value)))
    case WAX_LUA_VALUE_OBJECT: self = .object(UInt(bitPattern: value.pointer))
    case WAX_LUA_VALUE_PROXY:
      self = .proxy(kind: value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.kind)
    case WAX_LUA_VALUE_ARRAY: self = .array((0..<value.count).map { _ in Value(&reader) })
    case WAX_LUA_VALUE_TABLE:
      var table: [Value: Value] = [:]
      for _ in 0..<value.count {
        let key = Value(&reader)
        table[key] = Value(&reader)
      }
      self = .table(table)
    default: self = .other(value.kindName)
    }
  }

  /// - Precondition: A kind that Swift can write.
  func write(_ writer: LuaWriter) {
    switch self {
    case .nil: writer.nil()
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .number(let bits): writer.number(Double(bitPattern: bits))
    case .string(let bytes): bytes.withUnsafeBytes { writer.bytes($0) }
    case .array(let elements):
      writer.array(count: elements.count)
      for element in elements { element.write(writer) }
    case .table(let entries):
      writer.table(count: entries.count)
      for (key, value) in entries {
        key.write(writer)
        value.write(writer)
      }
    default: preconditionFailure("\(self) cannot be written")
    }
  }
}
