// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `Int128`, `UInt128`: what `Int64` or `UInt64` holds crosses as their values do; beyond them a
/// proxy, which compares and prints.
/// Unchecked: immutable, like every codec.
final class WideIntegerCodec<Value: FixedWidthInteger>: BoxCodec<Value>, @unchecked Sendable {
  private let narrow = IntegerCodec<UInt64>()

  override var isBoxing: Bool { false }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let value = source.assumingMemoryBound(to: Value.self).pointee
    if let small = Int64(exactly: value) {
      writer.integer(small)
    } else if let large = UInt64(exactly: value) {
      withUnsafePointer(to: large) { narrow.push($0, writer) }
    } else {
      super.push(source, writer)
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard let exact = Self.exactly(value) else {
      throw ConversionError(
        expected: "\(typeName) (\(Value.min) to \(Value.max))",
        found: ValueDescription.of(value, reader))
    }
    target.initializeMemory(as: Value.self, to: exact)
  }

  private static func exactly(_ value: wax_lua_value) -> Value? {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_INTEGER: return Value(exactly: value.integer)
    case WAX_LUA_VALUE_NUMBER: return Value(exactly: value.number)
    case WAX_LUA_VALUE_PROXY: break
    default: return nil
    }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    if proxy.kind == WAX_PROXY_KIND_UINT64.rawValue {
      return Value(exactly: UInt(bitPattern: proxy.pointer))
    }
    if let memory = ValueBox.contents(of: value, type: TypeMetadata.pointer(to: Int128.self)) {
      return Value(exactly: memory.load(as: Int128.self))
    }
    if let memory = ValueBox.contents(of: value, type: TypeMetadata.pointer(to: UInt128.self)) {
      return Value(exactly: memory.load(as: UInt128.self))
    }
    return nil
  }
}
