// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

/// The values of a table whose keys are positions or names of parts: of a tuple's elements, of a
/// struct's fields, of a case's payload.
package struct TablePositions {
  /// The readers by position, from 0.
  package private(set) var readers: [Int: LuaReader] = [:]

  /// - Parameters:
  ///   - head: The table, which `reader` stands behind.
  ///   - names: Of the parts; nil for one without.
  ///   - ignored: A key that is none of them.
  ///   - typeName: For messages.
  package init(
    _ head: wax_lua_value, _ reader: inout LuaReader, names: [String?],
    ignoring ignored: String? = nil,
    typeName: @autoclosure () -> String
  ) throws(ConversionError) {
    let isSequence = head.tag == WAX_LUA_VALUE_ARRAY.rawValue
    for number in 0..<Int(head.count) {
      let key = isSequence ? nil : reader.read()
      let value = reader
      reader.skip()
      if let key, let ignored, reader.string(key) == ignored { continue }
      var index = number
      if let key { index = try Self.position(of: key, reader, names, typeName) }
      guard index < names.count else {
        throw ConversionError(
          expected: typeName(), found: "a table with a value [\(index + 1)]: it has \(names.count)")
      }
      // Tuples go to Lua with both, and so may come back with both.
      if let other = readers.updateValue(value, forKey: index), !ValueEquality.check(value, other) {
        throw ConversionError(
          expected: typeName(),
          found: "a table whose values [\(index + 1)] and `\(names[index] ?? "")` differ; set both")
      }
    }
  }

  private static func position(
    of key: wax_lua_value, _ reader: LuaReader, _ names: [String?], _ typeName: () -> String
  ) throws(ConversionError) -> Int {
    if key.tag == WAX_LUA_VALUE_INTEGER.rawValue, key.integer > 0, key.integer < Int32.max {
      return Int(key.integer) - 1
    }
    guard let name = reader.string(key), let index = names.firstIndex(of: name) else {
      throw ConversionError(
        expected: typeName(),
        found: "a table with the key \(reader.keyName(key))"
          + NearName.hint(reader.displayString(key), among: names.compactMap(\.self)))
    }
    return index
  }
}
