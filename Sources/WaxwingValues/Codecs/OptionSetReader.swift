// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Option sets from Lua tables, as Swift writes them: `{}` is the empty set, `{ a, b }` the union.
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

  private static func union<Options: OptionSet>(_ members: [Any], _: Options.Type) -> Any {
    members.reduce(into: Options()) { union, member in
      if let member = member as? Options { union.formUnion(member) }
    }
  }
}
