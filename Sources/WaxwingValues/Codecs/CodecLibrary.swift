// SPDX-License-Identifier: MIT

internal import Synchronization

/// Finds the codec of any Swift type. Codecs are made once a type and live as long as the process,
/// as the types do.
package enum CodecLibrary {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let abstraction: Abstraction
    let isAutoclosure: Bool
    /// How values go to Lua where no type is declared.
    var isDynamic = false
  }

  private static let known = Mutex<[Key: ValueCodec]>([:])

  /// - Parameters:
  ///   - abstraction: How function values are called in the place where the value stands.
  ///   - isAutoclosure: The place is a parameter that is an `@autoclosure`.
  /// - Throws: `UnsupportedType` if values of the type cannot cross, or a part of them cannot.
  package static func codec(
    for type: any Any.Type, as abstraction: Abstraction = .natural, isAutoclosure: Bool = false
  ) throws(UnsupportedType) -> ValueCodec {
    let abstraction = Abstraction.matters(to: type) ? abstraction : .natural
    let key = Key(
      type: ObjectIdentifier(type), abstraction: abstraction, isAutoclosure: isAutoclosure)
    if let codec = known.withLock({ $0[key] }) { return codec }
    let made =
      isAutoclosure
      ? try InstalledLayers.current.functionCodec(for: type, as: abstraction, isAutoclosure: true)
      : try make(type, abstraction)
    return known.withLock { known in
      if let codec = known[key] { return codec }
      known[key] = made
      return made
    }
  }

  /// The codec for values of a type where no type is declared, which is made once.
  static func dynamic(for type: any Any.Type, _ make: () -> ValueCodec) -> ValueCodec {
    let key = Key(
      type: ObjectIdentifier(type), abstraction: .general, isAutoclosure: false, isDynamic: true)
    if let codec = known.withLock({ $0[key] }) { return codec }
    let made = make()
    return known.withLock { known in
      if let codec = known[key] { return codec }
      known[key] = made
      return made
    }
  }

  /// The codec of a type of which a proxy exists. A value that cannot cross otherwise is kept in
  /// the proxy.
  package static func known(_ type: any Any.Type) -> ValueCodec {
    func box<Value>(_: Value.Type) -> ValueCodec { BoxCodec<Value>() }
    return (try? codec(for: type)) ?? _openExistential(type, do: box)
  }

  private static func make(
    _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) -> ValueCodec {
    guard CopyableEscapableCheck.holds(type) else {
      throw UnsupportedType(
        type, because: "it is ~Copyable or ~Escapable; Lua copies and keeps its values")
    }
    if let scalar = type as? any ScalarType.Type { return scalar.makeCodec() }
    if type is any StandInValue.Type {
      throw UnsupportedType(
        type,
        because: "an opaque value can only be returned, or passed to the original that it came for")
    }
    try TypeMetadata.checkMetatypes(in: type)
    if let composite = type as? any CompositeType.Type {
      return try composite.makeCodec(abstraction)
    }
    if let bytes = ByteCollection.codec(for: type) { return bytes }
    switch TypeMetadata.kind(of: type) {
    case .class: return object(type)
    case .struct, .enum, .optional: return try value(type)
    case .tuple: return try tuple(type, abstraction)
    case .function: return try function(type, abstraction)
    case .existential: return existential(type)
    case .extendedExistential where TypeMetadata.existentialForm(of: type) != nil:
      return existential(type)
    case .metatype, .existentialMetatype: return metatype(type)
    default: throw UnsupportedType(type, because: "values of this kind cannot cross yet")
    }
  }

  private static func object(_ type: any Any.Type) -> ValueCodec {
    func make<Object>(_ type: Object.Type) -> ValueCodec { ObjectCodec(class: type) }
    return _openExistential(type, do: make)
  }

  private static func existential(_ type: any Any.Type) -> ValueCodec {
    if TypeMetadata.existentialForm(of: type) == .error { return ErrorCodec() }
    func make<Value>(_: Value.Type) -> ValueCodec { ExistentialCodec<Value>() }
    return _openExistential(type, do: make)
  }

  private static func metatype(_ type: any Any.Type) -> ValueCodec {
    func make<Value>(_: Value.Type) -> ValueCodec { MetatypeCodec<Value>() }
    return _openExistential(type, do: make)
  }

  private static func function(
    _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) -> ValueCodec {
    try InstalledLayers.current.functionCodec(for: type, as: abstraction, isAutoclosure: false)
  }

  /// The codec for elements of an array or another collection.
  static func element(_ type: any Any.Type) throws(UnsupportedType) -> ValueCodec {
    if type == Void.self {
      throw UnsupportedType(type, because: "a Lua table cannot hold empty values")
    }
    return try codec(for: type, as: .general)
  }

  private static func tuple(
    _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) -> ValueCodec {
    if type == Void.self { return VoidCodec() }
    var elements: [(label: String?, offset: Int, codec: ValueCodec)] = []
    for (index, element) in TypeMetadata.elements(of: type).enumerated() {
      let codec = try codec(for: element.type, as: abstraction.part(index))
      elements.append((element.label, element.offset, codec))
    }
    func make<Value>(_: Value.Type) -> ValueCodec { TupleCodec<Value>(elements: elements) }
    return _openExistential(type, do: make)
  }

  private static func value(_ type: any Any.Type) throws(UnsupportedType) -> ValueCodec {
    let isStruct = TypeMetadata.kind(of: type) == .struct
    func make<Value>(_: Value.Type) -> ValueCodec {
      isStruct ? StructCodec<Value>() : EnumCodec<Value>()
    }
    return _openExistential(type, do: make)
  }
}

/// A type with a codec of its own.
private protocol ScalarType {
  static func makeCodec() -> ValueCodec
}

extension FixedWidthInteger {
  fileprivate static func makeIntegerCodec() -> ValueCodec { IntegerCodec<Self>() }
}

extension Int: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension Int8: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension Int16: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension Int32: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension Int64: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension UInt: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension UInt8: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension UInt16: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension UInt32: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension UInt64: ScalarType { static func makeCodec() -> ValueCodec { makeIntegerCodec() } }
extension Bool: ScalarType { static func makeCodec() -> ValueCodec { BooleanCodec() } }
extension Int128: ScalarType { static func makeCodec() -> ValueCodec { WideIntegerCodec<Self>() } }
extension UInt128: ScalarType { static func makeCodec() -> ValueCodec { WideIntegerCodec<Self>() } }
extension Float16: ScalarType { static func makeCodec() -> ValueCodec { Float16Codec() } }
extension AnyHashable: ScalarType { static func makeCodec() -> ValueCodec { AnyHashableCodec() } }
extension Double: ScalarType { static func makeCodec() -> ValueCodec { DoubleCodec() } }
extension Float: ScalarType { static func makeCodec() -> ValueCodec { FloatCodec() } }
extension String: ScalarType { static func makeCodec() -> ValueCodec { StringCodec() } }
extension Substring: ScalarType { static func makeCodec() -> ValueCodec { SubstringCodec() } }
extension StaticString: ScalarType {
  static func makeCodec() -> ValueCodec { StaticStringCodec() }
}
extension Character: ScalarType { static func makeCodec() -> ValueCodec { CharacterCodec() } }

/// A type whose codec is made of other types' codecs.
protocol CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec
}

extension Optional: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    OptionalCodec<Wrapped>(try CodecLibrary.codec(for: Wrapped.self, as: abstraction.part(0)))
  }
}

extension Array: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    if Element.self == UInt8.self { return BytesCodec() }
    return ArrayCodec<Element>(try CodecLibrary.element(Element.self))
  }
}

extension UnsafeRawPointer: ScalarType {
  static func makeCodec() -> ValueCodec { makePointerCodec() }
}
extension UnsafeMutableRawPointer: ScalarType {
  static func makeCodec() -> ValueCodec { makePointerCodec() }
}
extension UnsafePointer: ScalarType { static func makeCodec() -> ValueCodec { makePointerCodec() } }
extension UnsafeMutablePointer: ScalarType {
  static func makeCodec() -> ValueCodec { makePointerCodec() }
}

extension PointerType {
  fileprivate static func makePointerCodec() -> ValueCodec { PointerCodec<Self>() }
}

extension ArraySlice: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    if Element.self == UInt8.self { return ByteCollectionCodec<ArraySlice<UInt8>>() }
    return SequenceCodec<Self>(try CodecLibrary.element(Element.self))
  }
}

extension ContiguousArray: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    if Element.self == UInt8.self { return ByteCollectionCodec<ContiguousArray<UInt8>>() }
    return SequenceCodec<Self>(try CodecLibrary.element(Element.self))
  }
}

extension Range: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    RangeCodec<Self>(try CodecLibrary.codec(for: Bound.self)) { $0..<$1 }
  }
}

extension ClosedRange: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    RangeCodec<Self>(try CodecLibrary.codec(for: Bound.self)) { $0...$1 }
  }
}

extension Set: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    SetCodec<Element>(try CodecLibrary.codec(for: Element.self, as: .general))
  }
}

extension Dictionary: CompositeType {
  static func makeCodec(_ abstraction: Abstraction) throws(UnsupportedType) -> ValueCodec {
    DictionaryCodec<Key, Value>(
      try CodecLibrary.codec(for: Key.self),
      try CodecLibrary.codec(for: Value.self, as: .general))
  }
}
