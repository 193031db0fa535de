// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua

/// `Bool`: a Lua boolean and nothing else.
/// Unchecked: immutable, like every codec.
final class BooleanCodec: TypedCodec<Bool>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    // The lowest bit: in a register the others are not defined.
    writer.boolean(source.load(as: UInt8.self) & 1 != 0)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_BOOLEAN.rawValue else { throw mismatch(value, reader) }
    target.storeBytes(of: value.integer != 0, as: Bool.self)
  }
}

/// `Double`: a Lua float, bit for bit; integers are accepted if a Double holds them exactly.
/// Unchecked: immutable, like every codec.
final class DoubleCodec: TypedCodec<Double>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  /// Whether the number can be a key of a Lua table: NaN cannot, and Lua turns -0.0 into 0.
  override func isPlainKey(_ source: UnsafeRawPointer) -> Bool {
    let value = source.loadUnaligned(as: Double.self)
    return !value.isNaN && !(value.isZero && value.sign == .minus)
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.number(source.loadUnaligned(as: Double.self))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_NUMBER: target.storeBytes(of: value.number, as: Double.self)
    case WAX_LUA_VALUE_INTEGER:
      guard let exact = Double(exactly: value.integer) else { throw mismatch(value, reader) }
      target.storeBytes(of: exact, as: Double.self)
    default: throw mismatch(value, reader)
    }
  }
}

/// `Float`: a Lua float. A Lua float is rounded to the nearest Float, as Swift's `Float(x)` does,
/// but never to infinity.
/// Unchecked: immutable, like every codec.
final class FloatCodec: TypedCodec<Float>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  override func isPlainKey(_ source: UnsafeRawPointer) -> Bool {
    let value = source.loadUnaligned(as: Float.self)
    return !value.isNaN && !(value.isZero && value.sign == .minus)
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let value = source.loadUnaligned(as: Float.self)
    writer.number(value.isNaN ? FloatBits.widen(value) : Double(value))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let value = reader.read()
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_NUMBER:
      let narrow = value.number.isNaN ? FloatBits.narrow(value.number) : Float(value.number)
      guard narrow.isFinite || !value.number.isFinite else { throw mismatch(value, reader) }
      target.storeBytes(of: narrow, as: Float.self)
    case WAX_LUA_VALUE_INTEGER:
      guard let exact = Float(exactly: value.integer) else { throw mismatch(value, reader) }
      target.storeBytes(of: exact, as: Float.self)
    default: throw mismatch(value, reader)
    }
  }
}

/// `Float16`: as `Float`.
/// Unchecked: immutable, like every codec.
final class Float16Codec: TypedCodec<Float16>, @unchecked Sendable {
  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let value = source.loadUnaligned(as: Float16.self)
    writer.number(value.isNaN ? FloatBits.widen(value) : Double(value))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let value = reader.read()
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_NUMBER:
      let narrow: Float16 =
        value.number.isNaN ? FloatBits.narrow(value.number) : Float16(value.number)
      guard narrow.isFinite || !value.number.isFinite else { throw mismatch(value, reader) }
      target.storeBytes(of: narrow, as: Float16.self)
    case WAX_LUA_VALUE_INTEGER:
      guard let exact = Float16(exactly: value.integer) else { throw mismatch(value, reader) }
      target.storeBytes(of: exact, as: Float16.self)
    default: throw mismatch(value, reader)
    }
  }
}

/// NaN payloads, which hardware conversions do not keep (they also make signalling NaNs quiet).
enum FloatBits {
  static func widen(_ value: Float) -> Double {
    let bits = UInt64(value.bitPattern)
    return Double(bitPattern: (bits >> 31) << 63 | 0x7ff0_0000_0000_0000 | (bits & 0x7f_ffff) << 29)
  }

  static func narrow(_ value: Double) -> Float {
    let payload = UInt32(truncatingIfNeeded: (value.bitPattern & 0xf_ffff_ffff_ffff) >> 29)
    let sign = UInt32(truncatingIfNeeded: value.bitPattern >> 63) << 31
    return Float(bitPattern: sign | 0x7f80_0000 | (payload == 0 ? 0x40_0000 : payload))
  }

  static func widen(_ value: Float16) -> Double {
    let bits = UInt64(value.bitPattern)
    return Double(bitPattern: (bits >> 15) << 63 | 0x7ff0_0000_0000_0000 | (bits & 0x3ff) << 42)
  }

  static func narrow(_ value: Double) -> Float16 {
    let payload = UInt16(truncatingIfNeeded: (value.bitPattern & 0xf_ffff_ffff_ffff) >> 42)
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 63) << 15
    return Float16(bitPattern: sign | 0x7c00 | (payload == 0 ? 0x200 : payload))
  }
}

/// `String`: a Lua string, byte for byte; invalid UTF-8 is an error.
/// Unchecked: immutable, like every codec.
package final class StringCodec: TypedCodec<String>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  package override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.string(source.assumingMemoryBound(to: String.self).pointee)
  }

  package override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.isString else { throw mismatch(value, reader) }
    guard let string = reader.string(value) else {
      throw ConversionError(
        expected: typeName, found: "a string of \(value.count) bytes that is not valid UTF-8")
    }
    target.initializeMemory(as: String.self, to: string)
  }

  package override var isRebuilt: Bool { true }

  package override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard value.isString else { return false }
    var text = source.assumingMemoryBound(to: String.self).pointee
    return text.withUTF8 { reader.bytes(of: value).isSame(as: $0) }
  }
}

/// `Void`: no value at all as a result; nil elsewhere.
/// Unchecked: immutable, like every codec.
final class VoidCodec: TypedCodec<Void>, @unchecked Sendable {
  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) { writer.nil() }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    reader.skip()
  }
}
