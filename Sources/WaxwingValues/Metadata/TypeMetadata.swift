// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// What the runtime's metadata says of a type.
package enum TypeMetadata {
  /// The kinds of metadata: `MetadataKind.def` of Swift 6.3.
  package enum Kind: Int {
    case `class` = 0
    case `struct` = 0x200
    case `enum` = 0x201
    case optional = 0x202
    case foreignClass = 0x203
    case foreignReference = 0x204
    case opaque = 0x300
    case tuple = 0x301
    case function = 0x302
    case existential = 0x303
    case metatype = 0x304
    case existentialMetatype = 0x306
    case extendedExistential = 0x307
  }

  /// A stored property.
  package struct Field {
    /// The name of the field; nil if the program is built without names in its reflection metadata.
    package let name: String?
    /// The type whose fields were asked for; a superclass of it may declare this one.
    package let owner: any Any.Type
    /// Bytes from the start of the value, or of the object.
    package let offset: Int
    package let type: any Any.Type
    package let storage: ReferenceStorage
    /// `var` rather than `let`.
    package let isVariable: Bool

    /// Whether the memory holds a plain value of the type, neither `weak` nor `unowned`.
    package var isStrong: Bool { storage == .strong }
    /// The name for messages, `_` without one.
    package var shownName: String { name ?? "_" }
  }

  package static func pointer(to type: any Any.Type) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  package static func type(at metadata: UnsafeRawPointer) -> any Any.Type {
    unsafeBitCast(metadata, to: Any.Type.self)
  }

  /// nil for kinds that this version does not know.
  package static func kind(of type: any Any.Type) -> Kind? {
    let word = pointer(to: type).load(as: Int.self)
    return word > 0x7ff ? .class : Kind(rawValue: word)  // of a class: its isa pointer
  }

  /// The stored properties in the order of declaration, a class's inherited ones first.
  package static func fields(of type: any Any.Type) -> [Field] {
    guard [.class, .struct].contains(kind(of: type)) else { return [] }
    let metadata = pointer(to: type)
    var records: [FieldRecords.Record]?
    return (0..<wax_abi_field_count(metadata)).map { index in
      var field = wax_abi_field()
      wax_abi_field_read(metadata, index, &field)
      defer { wax_abi_field_end(&field) }
      var storage = ReferenceStorage.strong
      if !field.is_strong {
        records = records ?? allRecords(of: type)
        storage = ReferenceStorage(records.flatMap { $0.indices.contains(index) ? $0[index] : nil })
      }
      return Field(
        name: field.name.map { String(cString: $0) }, owner: type, offset: Int(field.offset),
        type: Self.type(at: field.type), storage: storage, isVariable: field.is_var)
    }
  }

  /// Whether the runtime can tell the stored properties of a class or struct, or the cases of an enum:
  /// not if the program is built without reflection metadata.
  static func isReflected(_ type: any Any.Type) -> Bool {
    guard let descriptor = ContextDescriptor(descriptor(of: type)),
      FieldRecords.descriptor(of: descriptor.address) == nil
    else { return true }
    return FieldRecords.count(of: descriptor) == 0 || descriptor.module == "__C"  // C has none
  }

  /// The records of all fields, in the order of `fields(of:)`.
  private static func allRecords(of type: any Any.Type) -> [FieldRecords.Record] {
    (superclass(of: type).map(allRecords) ?? []) + FieldRecords.of(type)
  }

  /// The elements of a tuple type, in order; none for other types.
  ///
  ///     metadata -> { kind, count, labels: "x y ", { type, offset } … }
  ///
  /// Labels are separated by spaces, one behind each, empty for an element without
  /// (include/swift/ABI/Metadata.h, Swift 6.3).
  package static func elements(of type: any Any.Type) -> [(
    label: String?, offset: Int, type: any Any.Type
  )] {
    guard kind(of: type) == .tuple else { return [] }
    let metadata = pointer(to: type)
    let count = metadata.load(fromByteOffset: 8, as: Int.self)
    let labels =
      metadata.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self)
      .map { String(cString: $0).split(separator: " ", omittingEmptySubsequences: false) } ?? []
    return (0..<count).map { index in
      let element = metadata + 24 + 16 * index
      let label = labels.indices.contains(index) && !labels[index].isEmpty ? labels[index] : nil
      return (
        label.map(String.init), Int(element.load(fromByteOffset: 8, as: UInt32.self)),
        Self.type(at: element.load(as: UnsafeRawPointer.self))
      )
    }
  }

  /// What an existential type's values look like in memory.
  package enum ExistentialForm {
    /// A buffer of three words, the type, witness tables. Always passed by address.
    case opaque
    /// A reference and witness tables.
    case object
    /// A reference to a box.
    case error
  }

  /// The word behind the kind has the flags: bit 31 is clear for class-bound types, bits 24 to 29
  /// are 1 for `Error` alone (`ExistentialTypeFlags`, include/swift/ABI/MetadataValues.h, Swift 6.3).
  package static func existentialForm(of type: any Any.Type) -> ExistentialForm? {
    if kind(of: type) == .extendedExistential { return constrainedForm(of: type) }
    guard kind(of: type) == .existential else { return nil }
    let flags = pointer(to: type).load(fromByteOffset: 8, as: UInt32.self)
    if (flags >> 24) & 0x3f == 1 { return .error }
    return flags & 0x8000_0000 == 0 ? .object : .opaque
  }

  /// The form of `any P<T>`. The word after the kind refers to the type's shape, whose flags'
  /// lowest eight bits say whether only classes conform (`ExtendedExistentialTypeShapeFlags`,
  /// include/swift/ABI/MetadataValues.h, Swift 6.3).
  private static func constrainedForm(of type: any Any.Type) -> ExistentialForm? {
    let shape = pointer(to: type).load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    switch shape.load(as: UInt32.self) & 0xff {
    case 0: return .opaque
    case 1: return .object
    default: return nil
    }
  }

  /// The types that `any P<X>` is constrained to; none for other types.
  ///
  ///     metadata -> { kind, shape, types … }
  ///     shape -> { … 20 bytes …, number of types: UInt16 }
  ///
  /// include/swift/ABI/Metadata.h, TargetExtendedExistentialTypeMetadata, Swift 6.3.
  static func constraints(of type: any Any.Type) -> [any Any.Type] {
    guard kind(of: type) == .extendedExistential, constrainedForm(of: type) != nil else {
      return []
    }
    let metadata = pointer(to: type)
    let shape = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    // Neither a list of parameters nor an expression comes before the number.
    guard shape.load(as: UInt32.self) & 0x300 == 0x100 else { return [] }
    return (0..<Int(shape.load(fromByteOffset: 16, as: UInt16.self))).map {
      Self.type(at: metadata.load(fromByteOffset: 16 + 8 * $0, as: UnsafeRawPointer.self))
    }
  }

  /// The address of the type's context descriptor: the second word of a value type's metadata, the
  /// sixth of a class's (include/swift/ABI/Metadata.h, Swift 6.3, without Objective-C).
  package static func descriptor(of type: any Any.Type) -> UInt? {
    switch kind(of: type) {
    case .struct, .enum, .optional: pointer(to: type).load(fromByteOffset: 8, as: UInt.self)
    case .class: pointer(to: type).load(fromByteOffset: 40, as: UInt.self)
    default: nil
    }
  }

  /// Whether the type with this metadata is `type`, or a class that inherits from it.
  package static func type(
    at metadata: UnsafeMutableRawPointer, inheritsFrom type: any Any.Type
  ) -> Bool {
    var current: (any Any.Type)? = Self.type(at: metadata)
    while let candidate = current {
      if candidate == type { return true }
      current = superclass(of: candidate)
    }
    return false
  }

  /// `T` of the metatypes `T.Type` and `any T.Type`; nil for other types.
  ///
  ///     metadata -> { kind, instance type }
  package static func instanceType(of type: any Any.Type) -> (any Any.Type)? {
    guard [.metatype, .existentialMetatype].contains(kind(of: type)) else { return nil }
    return Self.type(at: pointer(to: type).load(fromByteOffset: 8, as: UnsafeRawPointer.self))
  }

  /// Whether a parameter, result or field of the type takes no room: the metatype of a struct or an
  /// enum has one value only. As a generic argument it has a word, as other metatypes do.
  package static func isThinMetatype(_ type: any Any.Type) -> Bool {
    guard kind(of: type) == .metatype, let instance = instanceType(of: type) else { return false }
    return ![.class, .foreignClass].contains(kind(of: instance))
  }

  /// The first generic argument of a struct or enum that has some.
  ///
  ///     metadata -> { kind, descriptor, generic arguments … }
  static func genericArgument(of type: any Any.Type) -> any Any.Type {
    Self.type(at: pointer(to: type).load(fromByteOffset: 16, as: UnsafeRawPointer.self))
  }

  /// The superclass that is a Swift class; nil for other kinds of types too.
  package static func superclass(of type: any Any.Type) -> (any Any.Type)? {
    guard kind(of: type) == .class, let object = type as? AnyClass else { return nil }
    return _getSuperclass(object)
  }

  /// Whether one class is another or inherits from it; false for other kinds of types.
  package static func isClass(_ type: any Any.Type, orInheritsFrom ancestor: any Any.Type) -> Bool {
    var current: (any Any.Type)? = type
    while let type = current {
      if type == ancestor { return true }
      current = superclass(of: type)
    }
    return false
  }
}
