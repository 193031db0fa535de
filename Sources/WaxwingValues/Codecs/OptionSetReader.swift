// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Option sets from Lua: the name of a member, or a list of members or of their names, as Swift writes them: `{}` is
/// the empty set, `{ a, "b" }` the union.
enum OptionSetReader {
  /// - Parameters:
  ///   - reader: Stands at a table, and behind it afterwards.
  ///   - member: Reads a member.
  /// - Returns: nil if the type is no option set, or the table has names.
  static func read<Value>(
    _: Value.Type, _ reader: inout LuaReader,
    member: (inout LuaReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value? {
    let head = reader.peeked
    guard let type = Value.self as? any OptionSet.Type,
      head.tag == WAX_LUA_VALUE_ARRAY.rawValue || head.count == 0
    else { return nil }
    _ = reader.read()
    var members: [Value] = []
    for _ in 0..<Int(head.count) { members.append(try member(&reader)) }
    return union(members, type) as? Value
  }

  /// Whether the reader stands at what may be the name of a member.
  static func takesName(_ reader: LuaReader, _ type: any Any.Type) -> Bool {
    reader.peeked.isString && type is any OptionSet.Type
  }

  /// Initializes `target` with the member whose name the reader stands at.
  static func read(
    named reader: inout LuaReader, _ type: any Any.Type, _ typeName: String,
    into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let layers = InstalledLayers.current
    let isTrial = reader.isTrial
    let value = reader.read()
    let name = reader.displayString(value) ?? ""
    if layers.readStaticValue(name, of: type, reader.source, into: isTrial ? nil : target) {
      if isTrial { throw .unmade(typeName) }
      return
    }
    let names = layers.staticValues(of: type, reader.source).sorted()
    throw ConversionError(
      expected: typeName,
      found: ValueDescription.of(value, reader) + ", which is none of its members"
        + (names.isEmpty
          ? "; the program has kept no names of members: write `{ rawValue = 1 }`, or build its module with `-enable-testing`"
          : NearName.hint(name, among: names)))
  }

  private static func union<Options: OptionSet>(_ members: [Any], _: Options.Type) -> Any {
    members.reduce(into: Options()) { union, member in
      if let member = member as? Options { union.formUnion(member) }
    }
  }
}
