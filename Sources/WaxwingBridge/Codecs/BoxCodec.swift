// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Structs and enums: a proxy that owns a copy of the value.
final class BoxCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private let metadata = TypeMetadata.pointer(to: Value.self)

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let copy = ValueBox.allocate(size: size, alignment: alignment)
    copy.initializeMemory(
      as: Value.self, to: source.assumingMemoryBound(to: Value.self).pointee)
    writer.proxy(WAXWING_PROXY_VALUE, copy, type: metadata)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.tag == WAXWING_PROXY.rawValue else { throw mismatch(value, reader) }
    let proxy = value.pointer.assumingMemoryBound(to: waxwing_proxy.self).pointee
    guard proxy.kind == WAXWING_PROXY_VALUE.rawValue, proxy.type == metadata,
      let source = proxy.pointer
    else { throw mismatch(value, reader) }
    target.initializeMemory(
      as: Value.self, to: source.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// The memory that a value's proxy owns.
enum ValueBox {
  /// Where values without bytes are; the compiler passes no address, or any, for theirs.
  static var nowhere: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 16)! }

  static func allocate(size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(size, 1), alignment: max(alignment, 16))
  }

  /// Destroys the value of the type with this metadata and frees the memory.
  static func release(_ box: UnsafeMutableRawPointer, type: UnsafeRawPointer) {
    func destroy<Value>(_: Value.Type) {
      box.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    _openExistential(TypeMetadata.type(at: type), do: destroy)
    box.deallocate()
  }
}
