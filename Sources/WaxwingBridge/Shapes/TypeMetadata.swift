// SPDX-License-Identifier: MIT

@_spi(Reflection) internal import Swift

/// What the runtime's metadata says of a type.
package enum TypeMetadata {
  /// The kinds of metadata: `MetadataKind.def` of Swift 6.3.
  enum Kind: Int {
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
    package let name: String
    /// Bytes from the start of the value, or of the object.
    package let offset: Int
    package let type: any Any.Type
  }

  package static func pointer(to type: any Any.Type) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  package static func type(at metadata: UnsafeRawPointer) -> any Any.Type {
    unsafeBitCast(metadata, to: Any.Type.self)
  }

  /// nil for kinds that this version does not know.
  static func kind(of type: any Any.Type) -> Kind? {
    let word = pointer(to: type).load(as: Int.self)
    return word > 0x7ff ? .class : Kind(rawValue: word)  // of a class: its isa pointer
  }

  /// The stored properties in the order of declaration; a class's inherited ones first. Those whose
  /// type the runtime cannot tell are left out.
  package static func fields(of type: any Any.Type) -> [Field] {
    var fields: [Field] = []
    // Raw value 1 is `classType`, a mutable static in the standard library.
    let options = _EachFieldOptions(rawValue: kind(of: type) == .class ? 1 : 0)
    _forEachField(of: type, options: options) { name, offset, type, _ in
      fields.append(Field(name: String(cString: name), offset: offset, type: type))
      return true
    }
    return fields
  }

  /// The superclass that is a Swift class; nil for other kinds of types too.
  package static func superclass(of type: any Any.Type) -> (any Any.Type)? {
    guard kind(of: type) == .class, let object = type as? AnyClass else { return nil }
    return _getSuperclass(object)
  }
}
