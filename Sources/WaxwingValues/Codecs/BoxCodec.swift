// SPDX-License-Identifier: MIT

internal import CWaxwingABI
package import CWaxwingLua
internal import WaxwingLua

/// A proxy that owns a copy of the value.
/// Unchecked: immutable, like every codec.
class BoxCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private let metadata = TypeMetadata.pointer(to: Value.self)
  private let witnesses = ValueWitnesses(of: Value.self)

  override var isBoxing: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let copy = ValueBox.allocate(size: size, alignment: alignment)
    copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)  // so that padding is the same
    if size > 0 { witnesses.copy(source, to: copy) }
    writer.proxy(WAX_PROXY_KIND_VALUE, copy, type: metadata)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard let source = ValueBox.contents(of: value, type: metadata) else {
      throw mismatch(value, reader)
    }
    target.initializeMemory(
      as: Value.self, to: source.assumingMemoryBound(to: Value.self).pointee)
  }

  /// Copies that agree to the byte.
  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    guard let box = ValueBox.contents(of: reader.read(), type: metadata) else { return false }
    return isSame(box, source)
  }
}

/// The memory that a value's proxy owns.
package enum ValueBox {
  /// Where values without bytes are; the compiler passes no address, or any, for theirs.
  package static var nowhere: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 16)! }

  package static func allocate(size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(size, 1), alignment: max(alignment, 16))
  }

  /// The memory of a proxy's value; nil if it is not of the type with this metadata.
  package static func contents(
    of value: wax_lua_value, type: UnsafeRawPointer
  ) -> UnsafeMutableRawPointer? {
    guard let held = contents(of: value), held.type == type else { return nil }
    return held.memory
  }

  /// The memory and type of a proxy's value, or of the value in the box of an error's proxy; nil
  /// for other Lua values.
  package static func contents(
    of value: wax_lua_value
  ) -> (memory: UnsafeMutableRawPointer, type: UnsafeRawPointer)? {
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard let pointer = proxy.pointer else { return nil }
    if proxy.kind == WAX_PROXY_KIND_ERROR.rawValue {
      var type: UnsafeRawPointer?
      let memory = wax_abi_error_value(pointer, &type)
      return memory.flatMap { memory in type.map { (memory, $0) } }
    }
    guard proxy.kind == WAX_PROXY_KIND_VALUE.rawValue, let type = proxy.type else { return nil }
    return (pointer, type)
  }

  /// Whether a proxy is that of an error, which has its value in a box of Swift's.
  package static func isError(_ value: wax_lua_value) -> Bool {
    value.tag == WAX_LUA_VALUE_PROXY.rawValue
      && value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.kind
        == WAX_PROXY_KIND_ERROR.rawValue
  }

  /// Destroys the value of the type with this metadata and frees the memory.
  package static func release(_ box: UnsafeMutableRawPointer, type: UnsafeRawPointer) {
    func destroy<Value>(_: Value.Type) {
      box.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    _openExistential(TypeMetadata.type(at: type), do: destroy)
    box.deallocate()
  }
}
