// SPDX-License-Identifier: MIT

extension LogEvent {
  /// The value of a field of an event.
  public enum Value: Hashable, Sendable, CustomStringConvertible {
    /// Text as it is; ``LogEvent/json`` and ``LogEvent/line`` escape it.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// True or false.
    case boolean(Bool)

    /// The value as text, without quotation marks.
    public var description: String {
      switch self {
      case .text(let text): text
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .boolean(let flag): "\(flag)"
      }
    }
  }
}

/// A type whose values can be values of a field.
package protocol LogValue: Sendable {
  var logged: LogEvent.Value { get }
}

extension String: LogValue { package var logged: LogEvent.Value { .text(self) } }
extension Int: LogValue { package var logged: LogEvent.Value { .integer(self) } }
extension Bool: LogValue { package var logged: LogEvent.Value { .boolean(self) } }
extension LogEvent.Value: LogValue { package var logged: LogEvent.Value { self } }
