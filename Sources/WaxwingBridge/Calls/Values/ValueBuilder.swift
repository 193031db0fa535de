// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingValues

/// Makes values of one case of an enum, from the runtime's metadata.
package struct CaseBuilder {
  private let form: EnumForm
  private let enumCase: EnumCase
  private let type: any Any.Type

  package init(_ enumCase: EnumCase, of type: any Any.Type) {
    func make<Value>(_: Value.Type) -> EnumForm { EnumForm(Value.self) }
    form = _openExistential(type, do: make)
    self.enumCase = enumCase
    self.type = type
  }

  /// Writes a value of the case.
  /// - Parameter arguments: The payload, in order; or one table with it by label or position.
  package func push(
    _ arguments: LuaReader, count: Int, _ writer: LuaWriter
  ) throws(LuaRaise) {
    let elements = EnumForm.elements(of: enumCase)
    try ValueBuilder.box(type, writer) { memory throws(ConversionError) in
      let values = try ValueBuilder.values(
        arguments, count, names: elements.map(\.label),
        "\(TypeName.short(type)).\(enumCase.shownName)")
      try EnumReader(form).build(enumCase, into: memory) { values[$0] }
    }
  }
}

/// Values that a script makes without calling a function of the program's: structs whose initializer has no symbol,
/// from the runtime's metadata.
package enum ValueBuilder {
  /// Writes a struct made of its stored properties.
  /// - Parameter arguments: They in the order of declaration; or one table of them by name or
  ///   position.
  package static func pushStruct(
    _ type: any Any.Type, _ arguments: LuaReader, count: Int, _ writer: LuaWriter
  ) throws(LuaRaise) {
    if type is any StandInValue.Type {
      throw .message(
        "no other value can be made of an opaque one: only the original's can be returned")
    }
    func make<Value>(_: Value.Type) -> StructForm { StructForm(Value.self) }
    let form = _openExistential(type, do: make)
    try box(type, writer) { memory throws(ConversionError) in
      try form.checkBuildable()
      let values = try self.values(
        arguments, count, names: form.fields.map(\.name),
        TypeName.short(type))
      try form.build(into: memory) { values[$0] }
    }
  }

  /// Where the value of each part is.
  fileprivate static func values(
    _ arguments: LuaReader, _ count: Int, names: [String?],
    _ title: @autoclosure () -> String
  ) throws(ConversionError) -> [Int: LuaReader] {
    var reader = arguments
    if count == 1, isTable(reader.peeked), !isWhole(reader, names) {
      let head = reader.read()
      return try TablePositions(head, &reader, names: names, typeName: title()).readers
    }
    guard count <= names.count else {
      throw ConversionError(
        expected: "\(names.count) value\(names.count == 1 ? "" : "s") for \(title())",
        found: "\(count)")
    }
    var values: [Int: LuaReader] = [:]
    for index in 0..<count {
      values[index] = reader
      reader.skip()
    }
    return values
  }

  private static func isTable(_ value: wax_lua_value) -> Bool {
    value.tag == WAX_LUA_VALUE_ARRAY.rawValue || value.tag == WAX_LUA_VALUE_TABLE.rawValue
  }

  /// Whether a table is the only part there is, not a table with that part in it under its name:
  /// `Path.points({ 1, 2 })`, but `Figure.circle { radius = 2 }`.
  private static func isWhole(_ table: LuaReader, _ names: [String?]) -> Bool {
    guard names.count == 1 else { return false }
    guard let name = names[0] else { return true }
    var reader = table
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_TABLE.rawValue else { return true }
    for _ in 0..<head.count {
      if reader.string(reader.read()) == name { return false }
      reader.skip()
    }
    return true
  }

  /// Writes the proxy of a new value that `body` makes.
  fileprivate static func box(
    _ type: any Any.Type, _ writer: LuaWriter,
    _ body: (UnsafeMutableRawPointer) throws(ConversionError) -> Void
  ) throws(LuaRaise) {
    let codec = CodecLibrary.known(type)
    let memory = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    do throws(ConversionError) {
      try body(memory)
    } catch {
      memory.deallocate()
      throw .message(error.description)
    }
    writer.proxy(WAX_PROXY_KIND_VALUE, memory, type: TypeMetadata.pointer(to: type))
  }
}
