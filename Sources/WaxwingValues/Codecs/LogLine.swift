// SPDX-License-Identifier: MIT

package import WaxwingLua

/// A line that a script writes with `log` or `print`.
package struct LogLine: Sendable {
  /// The function that writes it.
  package enum Level: String, Sendable { case debug, info, warn, error, print }

  package let level: Level
  package let message: String
  /// Names and values, in order of the names.
  package let fields: [(name: String, value: Value)]
  /// The position of the call.
  package let position: LuaFrame?

  package init(
    level: Level, message: String, fields: [(name: String, value: Value)], position: LuaFrame?
  ) {
    self.level = level
    self.message = message
    self.fields = fields
    self.position = position
  }

  /// The value of a field.
  package enum Value: Hashable, Sendable, CustomStringConvertible {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)

    /// The value as text.
    package var description: String {
      switch self {
      case .text(let text): text
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .boolean(let flag): "\(flag)"
      }
    }
  }
}
