// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
package import WaxwingLua

/// Structs: a proxy of a copy. From Lua also a table of all its stored properties, by name or in
/// the order of their declaration: `{ x = 10, y = 20 }`; of an option set, the name of a
/// member, or a list of members; what Swift would take
/// for a literal of the type, such as a string, if it has such literals.
/// Unchecked: immutable, like every codec.
class StructCodec<Value>: BoxCodec<Value>, @unchecked Sendable {
  private let form = StructForm(Value.self)

  override var trivialBox: UnsafeRawPointer? {
    guard size > 0, alignment <= 16, ValueWitnesses(of: Value.self).isTrivial else { return nil }
    return TypeMetadata.pointer(to: Value.self)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.peeked
    guard value.tag == WAX_LUA_VALUE_ARRAY.rawValue || value.tag == WAX_LUA_VALUE_TABLE.rawValue
    else {
      if LiteralReader.takes(reader, type) { return try readLiteral(&reader, into: target) }
      return try member(&reader, into: target)
    }
    let options = try OptionSetReader.read(Value.self, &reader) {
      (reader) throws(ConversionError) in try member(&reader)
    }
    if let options {
      target.initializeMemory(as: Value.self, to: options)
      return
    }
    let start = reader
    do throws(ConversionError) {
      try readProperties(&reader, into: target)
    } catch {
      guard !error.isUnmade, LiteralReader.takes(start, type) else { throw error }
      reader = start
      try readLiteral(&reader, into: target)
    }
  }

  private func readProperties(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let head = reader.read()
    try form.checkBuildable()
    let table = try TablePositions(
      head, &reader, names: form.fields.map(\.name), typeName: typeName)
    try form.build(into: target) { index in table.readers[index] }
  }

  private func readLiteral(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    try LiteralReader(typeName: typeName).read(Value.self, &reader, into: target)
  }

  /// Reads a value that is no table: a value of the type, or the name of a member of an option set.
  private func member(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if OptionSetReader.takesName(reader, type) {
      return try OptionSetReader.read(named: &reader, type, typeName, into: target)
    }
    try super.read(&reader, into: target)
  }

  private func member(_ reader: inout LuaReader) throws(ConversionError) -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) {
      (memory) throws(ConversionError) in
      let memory = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)  // not empty
      try member(&reader, into: memory)
      return memory.assumingMemoryBound(to: Value.self).move()
    }
  }
}

/// One struct type's stored properties, and how a value is made of them without an initializer.
/// Unchecked: never changed after `init`.
package final class StructForm: @unchecked Sendable {
  package let fields: [TypeMetadata.Field]
  private let typeName: String
  private let module: String
  private let size: Int
  private let gap: MissingMetadata?
  /// Properties that take no room: metatypes of structs and enums.
  private let thin: Set<Int>

  package init<Value>(_ type: Value.Type) {
    fields = TypeMetadata.fields(of: type)
    typeName = TypeName.short(type)
    module = String(TypeName.full(type).prefix { $0 != "." })
    size = MemoryLayout<Value>.size
    gap = MissingMetadata(type)
    let thin = zip(fields, FieldSpelling.all(in: type)).map { $1.isThin($0.type) }
    self.thin = Set(thin.indices.filter { thin[$0] })
  }

  package func checkBuildable() throws(ConversionError) {
    // Their stored properties are private.
    if EngineModules.isToolchain(module) {
      throw ConversionError(
        expected: typeName, found: "a table: values of this type are made by its initializers only")
    }
    if fields.isEmpty, size > 0 {
      throw ConversionError(
        expected: typeName,
        found:
          "a table, and \(gap?.description ?? "the runtime does not tell its stored properties")")
    }
  }

  /// Initializes `target` with a value whose stored properties are what `values` gives for each
  /// position; an optional one may be absent. On failure the memory stays uninitialized.
  package func build(
    into target: UnsafeMutableRawPointer, _ values: (Int) -> LuaReader?
  ) throws(ConversionError) {
    target.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    var made: [StoredField] = []
    for (index, field) in fields.enumerated() where !thin.contains(index) {
      do throws(ConversionError) {
        var value = try self.value(values(index), field)
        let stored = try stored(field)
        try stored.initialize(in: target, &value)
        made.append(stored)
      } catch {
        for stored in made { stored.deinitialize(in: target) }
        throw error
      }
    }
  }

  private func value(
    _ reader: LuaReader?, _ field: TypeMetadata.Field
  ) throws(ConversionError) -> LuaReader {
    if let reader { return reader }
    guard field.type is any OptionalType.Type else {
      throw ConversionError(
        expected: typeName, found: "no value for its property `\(field.shownName)`")
    }
    return .empty
  }

  private func stored(_ field: TypeMetadata.Field) throws(ConversionError) -> StoredField {
    do throws(UnsupportedType) {
      return try StoredField(field)
    } catch {
      throw ConversionError(
        expected: typeName, found: "a table, but `\(field.shownName)` cannot cross: \(error)")
    }
  }
}
