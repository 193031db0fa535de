// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// How well a Lua value fits a Swift type, for the choice among overloads.
///
/// 0: the value is what the type's own values are in Lua; more: it takes a conversion, the more the
/// looser the type is; nil: it does not fit.
enum ArgumentFit {
  /// A value that is taken for a literal, as `"x"` for a type that is `ExpressibleByStringLiteral`.
  static let literal = 25
  private static let any = 20
  private static let existential = 18
  private static let convertible = 12
  private static let furthestSuperclass = 10

  /// How a value is told to fit: by reading it, or, to learn what it would cost, without.
  enum Way {
    case reading, assuming
  }

  /// The type that the value which `reader` stands at would be for a parameter: a value may stand for an autoclosure.
  static func type(of reader: LuaReader, as codec: ValueCodec) -> any Any.Type {
    let isFunction = reader.peeked.tag == WAX_LUA_VALUE_FUNCTION.rawValue
    return isFunction ? codec.type : codec.writtenType
  }

  /// The cost of the value that `reader` stands at, for a parameter.
  static func cost(of reader: LuaReader, as codec: ValueCodec) -> Int? {
    cost(of: reader, as: type(of: reader, as: codec))
  }

  /// Whether the kind of the value tells its cost, whatever the value. A true may rest on the limits to which the kind
  /// is narrowed.
  static func isDecided(
    _ value: wax_lua_value, as type: any Any.Type, by kind: inout wax_call_kind
  ) -> Bool {
    if let optional = type as? any OptionalType.Type {
      return value.isNilOrNull || isDecided(value, as: optional.wrappedType, by: &kind)
    }
    if value.isNil { return true }
    guard let codec = try? CodecLibrary.codec(for: type) else { return true }
    return codec.isDecided(value, by: &kind)
  }

  /// The cost of the value that `reader` stands at.
  static func cost(of reader: LuaReader, as type: any Any.Type, _ way: Way = .reading) -> Int? {
    let value = reader.peeked
    if let optional = type as? any OptionalType.Type {
      if value.isNilOrNull { return 0 }
      return cost(of: reader, as: optional.wrappedType, way).map { $0 + 1 }
    }
    if value.isNil { return nil }
    switch TypeMetadata.kind(of: type) {
    case .existential, .extendedExistential:
      return trial(reader, type, type == Any.self ? any : existential, way)
    case .class: return objectCost(value, type)
    case .function:
      return value.tag == WAX_LUA_VALUE_FUNCTION.rawValue ? 0 : converted(reader, type, way)
    default: break
    }
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_INTEGER, WAX_LUA_VALUE_NUMBER, WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES,
      WAX_LUA_VALUE_BOOLEAN:
      return trial(reader, type, scalarCost(value, type), way)
    case WAX_LUA_VALUE_ARRAY, WAX_LUA_VALUE_TABLE: return tableCost(reader, type)
    case WAX_LUA_VALUE_PROXY: return proxyCost(reader, type, way)
    default: return converted(reader, type, way)
    }
  }

  // MARK: By the kind of value

  /// Integer types in the order of preference. A type that is missing here comes after all of them.
  private static let integers: [any Any.Type] = [
    Int.self, Int64.self, UInt.self, Int32.self, UInt64.self, UInt32.self, Int16.self, UInt16.self,
    Int8.self, UInt8.self, Double.self, Float.self,
  ]
  private static let floats: [any Any.Type] = [Double.self, Float.self]
  private static let strings: [any Any.Type] = [
    String.self, Substring.self, Character.self, [UInt8].self,
  ]

  private static func scalarCost(_ value: wax_lua_value, _ type: any Any.Type) -> Int {
    let order: [any Any.Type] =
      switch wax_lua_tag(rawValue: value.tag) {
      case WAX_LUA_VALUE_INTEGER: integers
      case WAX_LUA_VALUE_NUMBER: floats
      case WAX_LUA_VALUE_BOOLEAN: [Bool.self]
      default: strings
      }
    return order.firstIndex { $0 == type } ?? convertible
  }

  /// The nearer the class to the object's own, the better.
  private static func objectCost(_ value: wax_lua_value, _ type: any Any.Type) -> Int? {
    guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer else { return nil }
    var current: (any Any.Type)? = ObjectReference.dynamicType(object)
    var distance = 0
    while let own = current {
      if own == type { return min(distance, furthestSuperclass) }
      current = TypeMetadata.superclass(of: own)
      distance += 1
    }
    return nil
  }

  private static func proxyCost(
    _ reader: LuaReader, _ type: any Any.Type, _ way: Way
  ) -> Int? {
    if ValueBox.contents(of: reader.peeked, type: TypeMetadata.pointer(to: type)) != nil {
      return 0
    }
    return converted(reader, type, way)
  }

  private static func tableCost(_ reader: LuaReader, _ type: any Any.Type) -> Int? {
    let isSequence = reader.peeked.tag == WAX_LUA_VALUE_ARRAY.rawValue
    if isSequence, let array = type as? any ArrayType.Type {
      return elementsCost(reader, array.elementType)
    }
    let isDictionary = type is any DictionaryType.Type
    return trial(reader, type, (isSequence ? 1 : 0) + (isDictionary ? 0 : 1))
  }

  /// The cost of the worst element.
  private static func elementsCost(_ reader: LuaReader, _ type: any Any.Type) -> Int? {
    var reader = reader
    let head = reader.read()
    var worst = 0
    for _ in 0..<Int(head.count) {
      guard let cost = cost(of: reader, as: type) else { return nil }
      worst = max(worst, cost)
      reader.skip()
    }
    return worst
  }

  private static func converted(
    _ reader: LuaReader, _ type: any Any.Type, _ way: Way
  ) -> Int? {
    trial(reader, type, convertible, way)
  }

  // MARK: By trying

  /// The cost, `literal` if the value is or has a literal; nil: the type's codec does not take it.
  private static func trial(
    _ reader: LuaReader, _ type: any Any.Type, _ cost: Int, _ way: Way = .reading
  ) -> Int? {
    if way == .assuming { return cost }
    guard let codec = try? CodecLibrary.codec(for: type) else { return nil }
    let wasQuiet = wax_lua_set_quiet(true)
    defer { _ = wax_lua_set_quiet(wasQuiet) }
    guard let error = error(of: reader, as: codec) else { return cost }
    return error.isUnmade ? literal : nil
  }

  /// Why the codec does not take the value; nil: it does.
  static func failure(of reader: LuaReader, as codec: ValueCodec) -> ConversionError? {
    error(of: reader, as: codec).flatMap { $0.isUnmade ? nil : $0 }
  }

  /// The error of reading the value, without making literals.
  private static func error(of reader: LuaReader, as codec: ValueCodec) -> ConversionError? {
    let isTrial = reader.isTrial
    reader.isTrial = true
    defer { reader.isTrial = isTrial }
    let memory = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    defer { memory.deallocate() }
    var reader = reader
    do throws(ConversionError) {
      try codec.read(&reader, into: memory)
    } catch {
      return error
    }
    codec.destroy(memory)
    return nil
  }
}
