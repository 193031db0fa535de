// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingLua

extension LuaReader {
  /// A key of a table as it appears in a path: `memo`, `[3]`.
  package func keyName(_ key: wax_lua_value) -> String {
    if let text = displayString(key) { return text }
    return key.tag == WAX_LUA_VALUE_INTEGER.rawValue
      ? "[\(key.integer)]" : "[\(ValueDescription.of(key, self))]"
  }
}

/// Why a table is no sequence: the first key, in order, that should not be there, or is missing.
enum SequenceFault {
  /// - Parameter reader: Stands after the table's head.
  static func of(_ table: wax_lua_value, _ reader: LuaReader) -> String {
    var reader = reader
    var indices: Set<Int64> = []
    for _ in 0..<table.count {
      let key = reader.read()
      guard key.tag == WAX_LUA_VALUE_INTEGER.rawValue, key.integer > 0 else {
        return "it has the key \(reader.keyName(key))"
      }
      indices.insert(key.integer)
      reader.skip()
    }
    var missing: Int64 = 1
    while indices.contains(missing) { missing += 1 }
    return "index [\(missing)] is missing, but there is an index [\(indices.max() ?? 0)]"
  }
}
