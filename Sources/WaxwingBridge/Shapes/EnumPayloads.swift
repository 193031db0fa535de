// SPDX-License-Identifier: MIT

/// The types of an enum's payloads, from its field descriptor; without those of `indirect` cases,
/// which are references to boxes.
///
///     metadata  -> { kind, descriptor, generic arguments … }
///     descriptor + 16: relative pointer to the field descriptor
///     field descriptor -> { type, superclass: Int32; kind, record size: UInt16; count: UInt32 }
///     record -> { flags, type, name: Int32 }   flags 1: indirect; type 0: a case without payload
///
/// include/swift/ABI/Metadata.h and include/swift/RemoteInspection/Records.h, Swift 6.3.
enum EnumPayloads {
  private static let genericArgumentsOffset = 16
  private static let fieldsOffset = 16
  private static let recordsOffset = 16

  /// nil if the runtime does not tell all of them.
  static func types(of type: any Any.Type) -> [any Any.Type]? {
    let metadata = TypeMetadata.pointer(to: type)
    let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    guard let fields = relative(descriptor + fieldsOffset) else { return nil }
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    var types: [any Any.Type] = []
    for index in 0..<count {
      let record = fields + recordsOffset + index * recordSize
      let isIndirect = record.load(as: UInt32.self) & 1 != 0
      guard !isIndirect, let name = relative(record + 4) else { continue }
      guard let payload = payload(name, descriptor, metadata + genericArgumentsOffset) else {
        return nil
      }
      types.append(payload)
    }
    return types
  }

  private static func relative(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = Int(field.load(as: Int32.self))
    return offset == 0 ? nil : field + offset
  }

  private static func payload(
    _ name: UnsafeRawPointer, _ descriptor: UnsafeRawPointer, _ arguments: UnsafeRawPointer
  ) -> (any Any.Type)? {
    _getTypeByMangledNameInContext(
      name.assumingMemoryBound(to: UInt8.self), UInt(length(name)), genericContext: descriptor,
      genericArguments: arguments)
  }

  /// A mangled name ends at a zero that is not part of a reference: bytes 1 to 0x17 are followed by
  /// four bytes of it, 0x18 to 0x1f by eight.
  private static func length(_ name: UnsafeRawPointer) -> Int {
    var length = 0
    while true {
      switch name.load(fromByteOffset: length, as: UInt8.self) {
      case 0: return length
      case 1...0x17: length += 5
      case 0x18...0x1f: length += 9
      default: length += 1
      }
    }
  }
}
