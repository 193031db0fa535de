// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Values from Lua where Swift would take a literal: a string for a type that is `ExpressibleByStringLiteral`, a list
/// for one that is `ExpressibleByArrayLiteral`, and so on. The type's own initializer makes the value.
struct LiteralReader {
  let typeName: String

  /// Whether a type has literals of the kind that the reader stands at.
  static func takes(_ reader: LuaReader, _ type: any Any.Type) -> Bool {
    let value = reader.peeked
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES:
      return type is any ExpressibleByStringLiteral.Type
    case WAX_LUA_VALUE_INTEGER: return type is any ExpressibleByIntegerLiteral.Type
    case WAX_LUA_VALUE_NUMBER: return type is any ExpressibleByFloatLiteral.Type
    case WAX_LUA_VALUE_BOOLEAN: return type is any ExpressibleByBooleanLiteral.Type
    case WAX_LUA_VALUE_ARRAY, WAX_LUA_VALUE_TABLE:
      let isList = type is any ExpressibleByArrayLiteral.Type
      let isDictionary = type is any ExpressibleByDictionaryLiteral.Type
      if value.count == 0 { return isList != isDictionary }
      return value.tag == WAX_LUA_VALUE_ARRAY.rawValue ? isList : isDictionary
    default: return false
    }
  }

  /// Makes a value of the literal that the reader stands at.
  /// - Precondition: `takes` says so.
  func read<Value>(
    _ type: Value.Type, _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    guard let value = try value(type, &reader) as? Value else {
      throw ConversionError(
        expected: typeName, found: ValueDescription.of(reader.peeked, reader))
    }
    target.initializeMemory(as: Value.self, to: value)
  }

  private func value(
    _ type: any Any.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Any? {
    let value = reader.peeked
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES:
      return try (type as? any ExpressibleByStringLiteral.Type).map {
        (type) throws(ConversionError) in try string(type, &reader)
      }
    case WAX_LUA_VALUE_INTEGER:
      return try (type as? any ExpressibleByIntegerLiteral.Type).map {
        (type) throws(ConversionError) in try integer(type, &reader)
      }
    case WAX_LUA_VALUE_NUMBER:
      return try (type as? any ExpressibleByFloatLiteral.Type).map {
        (type) throws(ConversionError) in try float(type, &reader)
      }
    case WAX_LUA_VALUE_BOOLEAN:
      return try (type as? any ExpressibleByBooleanLiteral.Type).map {
        (type) throws(ConversionError) in try boolean(type, &reader)
      }
    default:
      if let list = type as? any ExpressibleByArrayLiteral.Type,
        value.count == 0 || value.tag == WAX_LUA_VALUE_ARRAY.rawValue
      {
        return try self.list(list, &reader)
      }
      return try (type as? any ExpressibleByDictionaryLiteral.Type).flatMap {
        (type) throws(ConversionError) in try dictionary(type, &reader)
      }
    }
  }

  // MARK: By the kind of literal

  private func string<Value: ExpressibleByStringLiteral>(
    _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value {
    Value(stringLiteral: try literal(Value.StringLiteralType.self, &reader))
  }

  private func integer<Value: ExpressibleByIntegerLiteral>(
    _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value {
    Value(integerLiteral: try literal(Value.IntegerLiteralType.self, &reader))
  }

  private func float<Value: ExpressibleByFloatLiteral>(
    _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value {
    Value(floatLiteral: try literal(Value.FloatLiteralType.self, &reader))
  }

  private func boolean<Value: ExpressibleByBooleanLiteral>(
    _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value {
    Value(booleanLiteral: try literal(Value.BooleanLiteralType.self, &reader))
  }

  private func list<Value: ExpressibleByArrayLiteral>(
    _ type: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value {
    if let vector = type as? any SIMD.Type { try checkCount(vector, reader.peeked) }
    let elements = try literal([Value.ArrayLiteralElement].self, &reader)
    // Variadic arguments are an array: docs/abi.md.
    let make = unsafeBitCast(
      Value.init(arrayLiteral:) as (Value.ArrayLiteralElement...) -> Value,
      to: (([Value.ArrayLiteralElement]) -> Value).self)
    return make(elements)
  }

  /// Reads a dictionary literal; nil if its keys cannot be read.
  private func dictionary<Value: ExpressibleByDictionaryLiteral>(
    _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Value? {
    guard let key = Value.Key.self as? any Hashable.Type else { return nil }
    let pairs = try pairs(key, Value.Value.self, &reader)
    guard let elements = pairs as? [(Value.Key, Value.Value)] else { return nil }
    let make = unsafeBitCast(
      Value.init(dictionaryLiteral:) as ((Value.Key, Value.Value)...) -> Value,
      to: (([(Value.Key, Value.Value)]) -> Value).self)
    return make(elements)
  }

  /// Sorted, if the keys are strings: Lua's tables have no order.
  private func pairs<Key: Hashable, Value>(
    _: Key.Type, _: Value.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> [(Key, Value)] {
    let pairs = try literal([Key: Value].self, &reader).map { ($0.key, $0.value) }
    return pairs.sorted {
      if let left = $0.0 as? String, let right = $1.0 as? String { left < right } else { false }
    }
  }

  // MARK: What the initializers take

  /// Reads a literal. In a trial nothing is made, because the initializers are code of the program.
  private func literal<Literal>(
    _ type: Literal.Type, _ reader: inout LuaReader
  ) throws(ConversionError) -> Literal {
    let codec: ValueCodec
    do throws(UnsupportedType) {
      codec = try CodecLibrary.codec(for: type)
    } catch {
      throw ConversionError(
        expected: typeName,
        found: ValueDescription.of(reader.peeked, reader) + ", and its literals cannot: \(error)")
    }
    let isTrial = reader.isTrial
    let memory = UnsafeMutablePointer<Literal>.allocate(capacity: 1)
    defer { memory.deallocate() }
    do throws(ConversionError) {
      try codec.read(&reader, into: memory)
    } catch {
      throw error.expecting(typeName)
    }
    let value = memory.move()
    if isTrial { throw .unmade(typeName) }
    return value
  }

  /// A list of another count would end the program.
  private func checkCount<Vector: SIMD>(
    _: Vector.Type, _ list: wax_lua_value
  ) throws(ConversionError) {
    guard Int(list.count) != Vector.scalarCount else { return }
    throw ConversionError(
      expected: "\(Vector.scalarCount) lanes of \(typeName)", found: "\(list.count)")
  }
}
