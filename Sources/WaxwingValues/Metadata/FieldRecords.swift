// SPDX-License-Identifier: MIT

internal import WaxwingReflection

/// The records of a type's own field descriptor: its stored properties, or its cases.
///
///     type descriptor + 16: relative pointer to the field descriptor
///     field descriptor -> { type, superclass: Int32; kind, record size: UInt16; count: UInt32 }
///     record -> { flags, type, name: Int32 }   flags 1: indirect case; 2: `var`; type 0: a case
///                                              without payload
///
/// Cases with a payload come first, in the order in which the runtime numbers them.
/// include/swift/ABI/Metadata.h and include/swift/RemoteInspection/Records.h, Swift 6.3.
package enum FieldRecords {
  package struct Record {
    /// The name of the field; nil if the program is built without names in its reflection metadata.
    package let name: String?
    package let isIndirect: Bool
    package let type: MangledTypeReference?
  }

  private static let fieldsOffset = 16
  private static let recordsOffset = 16

  /// The field records of a type; none if the type has no descriptor, or one without reflection
  /// metadata.
  package static func of(_ type: any Any.Type) -> [Record] {
    of(descriptor: TypeMetadata.descriptor(of: type) ?? 0)
  }

  /// - Parameter address: The context descriptor of a class, struct or enum; 0: there is none.
  package static func of(descriptor address: UInt) -> [Record] {
    guard let descriptor = UnsafeRawPointer(bitPattern: address),
      let fields = self.descriptor(of: descriptor)
    else { return [] }
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).map { index in
      let record = fields + recordsOffset + index * recordSize
      return Record(
        name: relative(record + 8).map { String(cString: $0.assumingMemoryBound(to: UInt8.self)) },
        isIndirect: record.load(as: UInt32.self) & 1 != 0,
        type: relative(record + 4).map { MangledTypeReference(start: $0, descriptor: descriptor) })
    }
  }

  /// The field descriptor of the type with this descriptor; nil: it has none.
  static func descriptor(of type: UnsafeRawPointer) -> UnsafeRawPointer? {
    relative(type + fieldsOffset)
  }

  /// How many stored properties or cases the type has, whether or not they are told: fields of
  /// `TargetClassDescriptor`, `TargetStructDescriptor` and `TargetEnumDescriptor`.
  static func count(of type: ContextDescriptor) -> Int {
    func word(_ offset: Int) -> Int {
      Int(type.address.load(fromByteOffset: offset, as: UInt32.self))
    }
    return switch type.kind {
    case .class: word(36)
    case .struct: word(20)
    case .enum: word(20) & 0xff_ffff + word(24)
    default: 0
    }
  }

  private static func relative(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = Int(field.load(as: Int32.self))
    return offset == 0 ? nil : field + offset
  }
}

/// A type's mangled name in an image's read-only data, possibly with references in it.
package struct MangledTypeReference {
  package let start: UnsafeRawPointer
  /// The type in whose generic context the name is meant.
  let descriptor: UnsafeRawPointer

  private static let genericArgumentsOffset = 16

  /// The type that it names for this struct's or enum's generic arguments; nil: the runtime does not
  /// tell.
  package func resolved(in type: any Any.Type) -> (any Any.Type)? {
    _getTypeByMangledNameInContext(
      start.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: descriptor,
      genericArguments: TypeMetadata.pointer(to: type) + Self.genericArgumentsOffset)
  }

  /// The operator at the end: `Xw` for `weak`, `Xo` for `unowned`, `Xu` for `unowned(unsafe)`.
  package var suffix: String {
    let length = length
    guard length >= 2 else { return "" }
    let end = UnsafeRawBufferPointer(start: start + length - 2, count: 2)
    return String(decoding: end, as: UTF8.self)
  }

  private var length: Int { MetadataName(start).length }
}
