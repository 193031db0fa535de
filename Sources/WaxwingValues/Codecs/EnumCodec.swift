// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua

/// Enums: a proxy of a copy. From Lua also the name of a case without payload, and a table with the
/// name as `case` and the payload by position or label: `{ case = "circle", radius = 2 }`; else what
/// Swift would take for a literal of the type, if it has such literals. Never a raw value: it may be
/// the name of another case.
/// Unchecked: immutable, like every codec.
final class EnumCodec<Value>: BoxCodec<Value>, @unchecked Sendable {
  private let form = EnumForm(Value.self)
  private let hasStringLiterals = Value.self is any ExpressibleByStringLiteral.Type
  private let hasTableLiterals =
    Value.self is any ExpressibleByArrayLiteral.Type
    || Value.self is any ExpressibleByDictionaryLiteral.Type

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.peeked
    if mayBeLiteral(value), LiteralReader.takes(reader, type), try isLiteral(reader) {
      return try LiteralReader(typeName: typeName).read(Value.self, &reader, into: target)
    }
    if value.isString {
      _ = reader.read()
      return try EnumReader(form).read(named: value, reader, into: target)
    }
    if value.tag == WAX_LUA_VALUE_TABLE.rawValue {
      _ = reader.read()
      return try EnumReader(form).read(table: value, &reader, into: target)
    }
    try super.read(&reader, into: target)
  }

  /// False where no enum but those with literals is asked for more than its codec knows.
  private func mayBeLiteral(_ value: wax_lua_value) -> Bool {
    if value.isString { return hasStringLiterals }
    return hasTableLiterals || value.tag != WAX_LUA_VALUE_TABLE.rawValue
  }

  /// Whether a literal is meant by a value of which the type has literals: not by a case's name, and not by a table
  /// that names one.
  /// - Throws: If a string is both.
  private func isLiteral(_ reader: LuaReader) throws(ConversionError) -> Bool {
    let value = reader.peeked
    if value.tag == WAX_LUA_VALUE_TABLE.rawValue, EnumReader.hasCase(reader) { return false }
    guard value.isString else { return true }
    guard let name = reader.displayString(value), let enumCase = form.named(name),
      !enumCase.hasPayload || EnumForm.elements(of: enumCase).isEmpty
    else { return true }
    if !form.holdsStrings { return false }
    throw ConversionError(
      expected: typeName,
      found: ValueDescription.of(value, reader)
        + ", the name of a case and a literal of the type; write `\(typeName).\(name)` for the case, "
        + "and for the literal a case with the string")
  }
}

/// Builds values of an enum from what a script gives.
package struct EnumReader {
  private let form: EnumForm

  package init(_ form: EnumForm) {
    self.form = form
  }

  private var typeName: String { TypeName.short(form.type) }

  func read(
    named value: wax_lua_value, _ reader: LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let enumCase = try find(value, reader)
    guard !enumCase.hasPayload || EnumForm.elements(of: enumCase).isEmpty else {
      throw ConversionError(
        expected: typeName,
        found: "\"\(enumCase.shownName)\", a case with a payload; build it: \(example(enumCase))")
    }
    form.build(enumCase, into: target) { _ in }
  }

  func read(
    table head: wax_lua_value, _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let enumCase = try namedCase(head, reader)
    let elements = EnumForm.elements(of: enumCase)
    let values = try TablePositions(
      head, &reader, names: elements.map(\.label), ignoring: "case",
      typeName: "\(typeName).\(enumCase.shownName)")
    try build(enumCase, into: target) { index in values.readers[index] }
  }

  /// Builds a value of a case; `values` gives what there is for each position of its payload.
  package func build(
    _ enumCase: EnumCase, into target: UnsafeMutableRawPointer, _ values: (Int) -> LuaReader?
  ) throws(ConversionError) {
    let elements = EnumForm.elements(of: enumCase)
    if enumCase.hasPayload, enumCase.payload == nil {
      throw ConversionError(
        expected: typeName,
        found: "`\(enumCase.shownName)`, whose payload's type the runtime does not tell")
    }
    try form.build(enumCase, into: target) { memory throws(ConversionError) in
      var partial = PartiallyInitializedTuple(memory)
      for (index, element) in elements.enumerated() {
        do throws(ConversionError) {
          let codec = try codec(of: element, enumCase)
          var value = try self.value(values(index), codec, index, enumCase)
          try partial.read(codec, at: element.offset, &value)
        } catch {
          partial.destroy()
          throw error.at(element.label.map { .key($0) } ?? .index(index + 1))
        }
      }
    }
  }

  private func codec(
    of element: EnumForm.Element, _ enumCase: EnumCase
  ) throws(ConversionError) -> ValueCodec {
    do throws(UnsupportedType) {
      return try form.codec(of: element, of: enumCase)
    } catch {
      throw ConversionError(expected: typeName, found: "a payload that cannot cross: \(error)")
    }
  }

  private func value(
    _ reader: LuaReader?, _ codec: ValueCodec, _ index: Int, _ enumCase: EnumCase
  ) throws(ConversionError) -> LuaReader {
    if let reader { return reader }
    guard codec.type is any OptionalType.Type else {
      throw ConversionError(expected: codec.typeName, found: "no value for `\(enumCase.shownName)`")
    }
    return .empty
  }

  /// Whether the table that a reader stands at has a `case`.
  static func hasCase(_ table: LuaReader) -> Bool {
    var reader = table
    let head = reader.read()
    for _ in 0..<head.count {
      if reader.string(reader.read()) == "case" { return true }
      reader.skip()
    }
    return false
  }

  private func namedCase(
    _ head: wax_lua_value, _ reader: LuaReader
  ) throws(ConversionError) -> EnumCase {
    var reader = reader
    for _ in 0..<head.count {
      let key = reader.read()
      if reader.string(key) == "case" { return try find(reader.peeked, reader) }
      reader.skip()
    }
    throw ConversionError(
      expected: typeName, found: "a table without a `case`, the name of the enum's case")
  }

  private func find(
    _ value: wax_lua_value, _ reader: LuaReader
  ) throws(ConversionError) -> EnumCase {
    let name = reader.displayString(value)
    if let name, let enumCase = form.named(name) { return enumCase }
    throw ConversionError(
      expected: typeName,
      found: ValueDescription.of(value, reader) + ", which is none of its cases"
        + (form.gap.map { "; \($0.description)" } ?? "")
        + NearName.hint(name, among: form.cases.compactMap(\.name)))
  }

  private func example(_ enumCase: EnumCase) -> String {
    let elements = EnumForm.elements(of: enumCase).enumerated().map { $1.label ?? "value\($0 + 1)" }
    return "\(typeName).\(enumCase.shownName)(\(elements.joined(separator: ", ")))"
  }
}
