// SPDX-License-Identifier: MIT

/// Something that the daemon's log should have.
public struct LogEvent: Sendable {
  /// How much it matters.
  public enum Level: String, Sendable {
    case debug, info, warning, error
  }

  /// How much it matters.
  public let level: Level
  /// A stable name: `patch.applied`, `patch.ended`, `override.failed`,
  /// `override.switched_off`, `override.bypassed`, `closure.failed`, `callback.failed`,
  /// `task.failed`, `patch.log`; of kept patches `boot.load`, `boot.skip`, `boot.strike`,
  /// `boot.suspect`, `boot.quarantine`, `boot.baseline`, `boot.disabled`, `boot.healthy`,
  /// `boot.unhealthy`, `store.error`; of trials `trial.confirmed`, `trial.ended`, `trial.failed`.
  public let event: String
  /// A sentence.
  public let message: String
  /// Names and values, in order.
  public let fields: [(name: String, value: String)]

  /// One line for a log: no control characters get through.
  public var line: String {
    let fields = fields.map { " \($0.name)=\(LogText.quoted($0.value))" }.joined()
    return "waxwing \(level.rawValue) \(event): \(LogText.escaped(message))\(fields)"
  }
}

/// Text of a patch's making, made safe for a log's line.
enum LogText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(4096) {
      switch scalar.value {
      case 0x0a: result += "\\n"
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func quoted(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.contains(" ") || escaped.isEmpty ? "\"\(escaped)\"" : escaped
  }
}
