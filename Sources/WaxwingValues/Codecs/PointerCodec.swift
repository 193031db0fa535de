// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// A pointer of one word, as the compiler converts them to each other in calls.
protocol PointerType {
  /// The type that the pointer points to; nil for a raw pointer.
  static var pointee: (any Any.Type)? { get }
  static var isMutable: Bool { get }
}

extension UnsafeRawPointer: PointerType {
  static var pointee: (any Any.Type)? { nil }
  static var isMutable: Bool { false }
}

extension UnsafeMutableRawPointer: PointerType {
  static var pointee: (any Any.Type)? { nil }
  static var isMutable: Bool { true }
}

extension UnsafePointer: PointerType {
  static var pointee: (any Any.Type)? { Pointee.self }
  static var isMutable: Bool { false }
}

extension UnsafeMutablePointer: PointerType {
  static var pointee: (any Any.Type)? { Pointee.self }
  static var isMutable: Bool { true }
}

/// Pointers: a proxy that keeps address and type, prints and compares. Where Swift would convert
/// one kind of pointer to another for a call, so does this: typed to raw, mutable to immutable.
/// Unchecked: immutable, like every codec.
final class PointerCodec<Value: PointerType>: BoxCodec<Value>, @unchecked Sendable {
  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if let held = ValueBox.contents(of: reader.peeked), let type = Self.pointer(held.type),
      accepts(type)
    {
      _ = reader.read()
      target.storeBytes(of: held.memory.load(as: UInt.self), as: UInt.self)
      return
    }
    try super.read(&reader, into: target)
  }

  private static func pointer(_ metadata: UnsafeRawPointer) -> (any PointerType.Type)? {
    TypeMetadata.type(at: metadata) as? any PointerType.Type
  }

  private func accepts(_ other: any PointerType.Type) -> Bool {
    if Value.isMutable, !other.isMutable { return false }
    guard let pointee = Value.pointee else { return true }
    return other.pointee.map { $0 == pointee } ?? false
  }
}
