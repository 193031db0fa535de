// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingPatches
import WaxwingReflection

/// Something that the daemon's log should have.
public struct LogEvent: Sendable {
  /// How much it matters.
  public enum Level: String, Sendable {
    case debug, info, warning, error
  }

  /// How much it matters.
  public let level: Level
  /// A stable name: `patch.applied`, `patch.ended`, `apply.refused`, `revert.refused`,
  /// `restore.refused`, `restore.stalled`, `confirm.refused`, `boot.retry.refused`,
  /// `boot.drop.refused`, `override.failed`, `override.switched_off`, `override.bypassed`,
  /// `override.stuck`, `override.returned`, `closure.stuck`, `closure.returned`, `patch.stuck`,
  /// `watchdog.failed`, `closure.failed`, `closure.held`, `callback.failed`, `task.failed`,
  /// `patch.log`, `log.dropped`, `client.refused`, `config.error`, `policy.insecure`,
  /// `audit.opened`, `audit.error`; of kept patches `boot.load`, `boot.skip`, `boot.strike`,
  /// `boot.suspect`, `boot.quarantine`, `boot.fallback`, `boot.baseline`, `boot.disabled`,
  /// `boot.healthy`, `boot.unhealthy`, `store.error`; of serial numbers `floors.restored`,
  /// `floors.lost`, `floors.alone`; of trials `trial.confirmed`, `trial.ended`, `trial.failed`; of
  /// facts `facts.read`, `facts.ignored`.
  public let event: String
  /// A sentence.
  public let message: String
  /// Names and values, in order.
  public let fields: [(name: String, value: String)]
  /// Milliseconds since 1970, UTC, when it happened.
  public let milliseconds: Int

  init(
    level: Level, event: String, message: String, fields: [(name: String, value: String)]
  ) {
    self.level = level
    self.event = event
    self.message = message
    self.fields = fields
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    milliseconds = now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// One line of JSON: `ts`, `level`, `event`, `svc` (the program), `pid`, `message`, then the fields.
  /// A field that has one of these names gets a number behind it.
  public var json: String {
    var line = JSONLine()
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    let second = Timestamp(secondsSince1970: milliseconds / 1000).description.dropLast()
    line.add("ts", "\(second).\(fraction)Z")
    line.add("level", level.rawValue)
    line.add("event", event)
    line.add("svc", Self.program)
    line.add("pid", Int(getpid()))
    line.add("message", message)
    for field in fields.prefix(Self.fieldLimit) { line.add(field.name, field.value) }
    return line.object
  }

  /// A script may add any number.
  private static let fieldLimit = 64
  private static let program = ProgramName.current

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
