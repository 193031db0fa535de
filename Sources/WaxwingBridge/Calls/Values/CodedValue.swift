// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// A Lua value on its way into an encoder, or out of a decoder: lists and tables of plain values, and
/// Swift values that are `Encodable` themselves.
indirect enum CodedValue {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case list([CodedValue])
  case table([String: CodedValue])
  case value(any Encodable)

  /// Reads the next value.
  init(_ reader: inout LuaReader) throws(ConversionError) {
    let next = reader.peeked
    switch wax_lua_tag(rawValue: next.tag) {
    case WAX_LUA_VALUE_NIL, WAX_LUA_VALUE_NULL:
      _ = reader.read()
      self = .null
    case WAX_LUA_VALUE_ARRAY:
      self = .list(try Self.list(count: Int(reader.read().count), &reader))
    case WAX_LUA_VALUE_TABLE:
      self = .table(try Self.table(count: Int(reader.read().count), &reader))
    default:
      let start = reader
      guard let value = try DynamicValue.read(&reader) as? any Encodable else {
        throw ConversionError(
          expected: "a value that can be encoded", found: ValueDescription.of(next, start))
      }
      self = .value(value)
    }
  }

  private static func list(
    count: Int, _ reader: inout LuaReader
  ) throws(ConversionError) -> [CodedValue] {
    var list: [CodedValue] = []
    for index in 0..<count {
      do throws(ConversionError) { list.append(try CodedValue(&reader)) } catch {
        throw error.at(.index(index + 1))
      }
    }
    return list
  }

  private static func table(
    count: Int, _ reader: inout LuaReader
  ) throws(ConversionError) -> [String: CodedValue] {
    var table: [String: CodedValue] = [:]
    for _ in 0..<count {
      let start = reader
      let key = reader.read()
      guard let name = reader.string(key) else {
        throw ConversionError(expected: "a string as key", found: ValueDescription.of(key, start))
      }
      do throws(ConversionError) { table[name] = try CodedValue(&reader) } catch {
        throw error.at(.key(name))
      }
    }
    return table
  }

  func push(_ writer: LuaWriter) {
    switch self {
    case .null: writer.nil()
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .list(let list):
      writer.array(count: list.count)
      // In a list, nil would be a hole.
      for element in list {
        if case .null = element { writer.null() } else { element.push(writer) }
      }
    case .table(let table):
      let entries = table.filter { if case .null = $0.value { false } else { true } }
      writer.dictionary(count: entries.count)
      for (name, value) in entries {
        writer.string(name)
        value.push(writer)
      }
    case .value: writer.nil()  // comes out of no decoder
    }
  }
}

extension CodedValue: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue _: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .boolean(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .list(let list):
      var container = encoder.unkeyedContainer()
      for element in list { try container.encode(element) }
    case .table(let table):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in table { try container.encode(value, forKey: Key(stringValue: name)) }
    case .value(let value):
      // By way of a container, as encoders look at the types of some values: dates, data, URLs.
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
}

extension CodedValue: Decodable {
  /// Decodes a value with the types that the encoded form tells: no format tells all of Swift's
  /// types.
  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var table: [String: CodedValue] = [:]
      for key in container.allKeys {
        table[key.stringValue] = try container.decode(CodedValue.self, forKey: key)
      }
      self = .table(table)
    } else if var container = try? decoder.unkeyedContainer() {
      var list: [CodedValue] = []
      while !container.isAtEnd { list.append(try container.decode(CodedValue.self)) }
      self = .list(list)
    } else {
      self = try Self.single(decoder.singleValueContainer())
    }
  }

  private static func single(
    _ container: any SingleValueDecodingContainer
  ) throws -> CodedValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .boolean(value) }
    if let value = try? container.decode(Int.self) { return .integer(value) }
    if let value = try? container.decode(Double.self) { return .number(value) }
    return .string(try container.decode(String.self))
  }
}
