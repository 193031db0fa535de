// SPDX-License-Identifier: MIT

/// A constant of Lua source: what a manifest is made of.
struct LuaLiteral: Hashable, Sendable {
  indirect enum Value: Hashable, Sendable {
    case `nil`
    case boolean(Bool)
    case integer(Int64)
    case float(Double)
    case string([UInt8])
    case table([LuaLiteralField])
  }

  let value: Value
  let line: Int

  /// The kind of the value, for messages.
  var kindName: String {
    switch value {
    case .nil: "nil"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .float: "a float"
    case .string: "a string"
    case .table: "a table"
    }
  }
}
