// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Integers of up to 64 bits: Lua integers, exact and range-checked.
/// Unchecked: immutable, like every codec.
final class IntegerCodec<Value: FixedWidthInteger>: TypedCodec<Value>, @unchecked Sendable {
  // `plain` is never nil here. What it does is not repeated in terms of `Value`: a generic method
  // that is called through its class is never specialised, and ten times as slow.
  override var hasPlainKeys: Bool { true }

  /// Whether the integer is a Lua integer. One above `Int64.max` is a proxy.
  override func isPlainKey(_ source: UnsafeRawPointer) -> Bool {
    switch plain.unsafelyUnwrapped {
    case .uint64: source.loadUnaligned(as: UInt64.self) <= UInt64(Int64.max)
    default: true
    }
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    plain.unsafelyUnwrapped.push(source, writer.buffer)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if plain.unsafelyUnwrapped.read(reader.peeked, into: target) {
      _ = reader.read()
      return
    }
    try convert(&reader, into: target)
  }

  /// Apart, as it asks the runtime for types before it does anything.
  @inline(never)
  private func convert(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let value = reader.read()
    guard let exact = Self.exactly(value) else { throw failure(value, reader) }
    target.storeBytes(of: exact, as: Value.self)
  }

  private static func exactly(_ value: wax_lua_value) -> Value? {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_INTEGER: Value(exactly: value.integer)
    case WAX_LUA_VALUE_NUMBER: Value(exactly: value.number)
    case WAX_LUA_VALUE_PROXY: large(value)
    default: nil
    }
  }

  private static func large(_ value: wax_lua_value) -> Value? {
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_UINT64.rawValue else { return nil }
    return Value(exactly: UInt(bitPattern: proxy.pointer))
  }

  private func failure(_ value: wax_lua_value, _ reader: LuaReader) -> ConversionError {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_INTEGER, WAX_LUA_VALUE_PROXY:
      ConversionError(
        expected: "\(typeName) (\(Value.min) to \(Value.max))",
        found: ValueDescription.of(value, reader))
    case WAX_LUA_VALUE_NUMBER:
      ConversionError(
        expected: typeName,
        found: ValueDescription.of(value, reader) + ", which is not an integer in range")
    default: mismatch(value, reader)
    }
  }
}
