// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingLua

/// The kinds of values that most calls are made of. They cross without their codec: a switch
/// instead of a generic method that is called through the class.
package enum PlainKind: UInt8 {
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case boolean, float, double
  /// A reference to an instance of a class. Only for Lua: back, its codec checks the class.
  case object

  /// Whether values are nothing but their bytes.
  package var isTrivial: Bool { self != .object }

  /// Whether C moves arrays of such values at once.
  var standsInRows: Bool { isTrivial && self != .uint64 && self != .float }

  /// Writes the value at `source` as its codec would. In a register, the bits above the value are
  /// undefined.
  @inline(__always)
  package func push(_ source: UnsafeRawPointer, _ buffer: UnsafeMutablePointer<wax_lua_buffer>) {
    switch self {
    case .int8: wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(source.load(as: Int8.self)))
    case .int16:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(source.loadUnaligned(as: Int16.self)))
    case .int32:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(source.loadUnaligned(as: Int32.self)))
    case .int64:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, source.loadUnaligned(as: Int64.self))
    case .uint8:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(source.load(as: UInt8.self)))
    case .uint16:
      wax_lua_buffer_add(
        buffer, WAX_LUA_VALUE_INTEGER, Int64(source.loadUnaligned(as: UInt16.self)))
    case .uint32:
      wax_lua_buffer_add(
        buffer, WAX_LUA_VALUE_INTEGER, Int64(source.loadUnaligned(as: UInt32.self)))
    case .uint64: Self.push(source.loadUnaligned(as: UInt64.self), LuaWriter(buffer))
    case .boolean:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_BOOLEAN, Int64(source.load(as: UInt8.self) & 1))
    case .float: Self.push(source.loadUnaligned(as: Float.self), LuaWriter(buffer))
    case .double: wax_lua_buffer_add_number(buffer, source.loadUnaligned(as: Double.self))
    case .object:
      wax_lua_buffer_add_pointer(
        buffer, WAX_LUA_VALUE_OBJECT, source.load(as: UnsafeMutableRawPointer.self))
    }
  }

  /// Initializes the memory at `target` with `value` if that is of the kind's own Lua type and fits.
  /// - Returns: Whether it was. If not, the codec converts it, or says what is wrong.
  @inline(__always)
  package func read(_ value: wax_lua_value, into target: UnsafeMutableRawPointer) -> Bool {
    switch self {
    case .int8: Self.read(value, into: target, as: Int8.self)
    case .int16: Self.read(value, into: target, as: Int16.self)
    case .int32: Self.read(value, into: target, as: Int32.self)
    case .int64: Self.read(value, into: target, as: Int64.self)
    case .uint8: Self.read(value, into: target, as: UInt8.self)
    case .uint16: Self.read(value, into: target, as: UInt16.self)
    case .uint32: Self.read(value, into: target, as: UInt32.self)
    case .uint64: Self.read(value, into: target, as: UInt64.self)
    case .boolean: Self.readBoolean(value, into: target)
    case .double: Self.readDouble(value, into: target)
    case .float, .object: false
    }
  }

  private static func push(_ value: UInt64, _ writer: LuaWriter) {
    if let exact = Int64(exactly: value) {
      writer.integer(exact)
    } else {
      writer.proxy(
        WAX_PROXY_KIND_UINT64, UnsafeMutableRawPointer(bitPattern: UInt(value)), type: nil)
    }
  }

  private static func push(_ value: Float, _ writer: LuaWriter) {
    writer.number(value.isNaN ? FloatBits.widen(value) : Double(value))
  }

  @inline(__always)
  private static func read<Value: FixedWidthInteger>(
    _ value: wax_lua_value, into target: UnsafeMutableRawPointer, as type: Value.Type
  ) -> Bool {
    guard value.tag == WAX_LUA_VALUE_INTEGER.rawValue, let exact = Value(exactly: value.integer)
    else {
      return false
    }
    target.storeBytes(of: exact, as: type)
    return true
  }

  @inline(__always)
  private static func readBoolean(
    _ value: wax_lua_value, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard value.tag == WAX_LUA_VALUE_BOOLEAN.rawValue else { return false }
    target.storeBytes(of: value.integer != 0, as: Bool.self)
    return true
  }

  @inline(__always)
  private static func readDouble(
    _ value: wax_lua_value, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard value.tag == WAX_LUA_VALUE_NUMBER.rawValue else { return false }
    target.storeBytes(of: value.number, as: Double.self)
    return true
  }
}

extension PlainKind {
  /// The kind of a plain type; nil if values of the type need their codec.
  init?(_ type: any Any.Type) {
    let kinds: [ObjectIdentifier: PlainKind] = [
      ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(UInt8.self): .uint8,
      ObjectIdentifier(Int16.self): .int16, ObjectIdentifier(UInt16.self): .uint16,
      ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(UInt32.self): .uint32,
      ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(UInt64.self): .uint64,
      ObjectIdentifier(Int.self): .int64, ObjectIdentifier(UInt.self): .uint64,
      ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Float.self): .float,
      ObjectIdentifier(Double.self): .double,
    ]
    guard let kind = kinds[ObjectIdentifier(type)] else { return nil }
    self = kind
  }
}
