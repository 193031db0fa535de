// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingSystem

/// An event for the daemon's log.
public struct LogEvent: Sendable {
  /// How much it matters.
  public enum Level: String, Sendable {
    /// A patch reports its work.
    case debug
    /// An operation has succeeded.
    case info
    /// An operator should look at the event.
    case warning
    /// An operation has failed.
    case error
  }

  /// How much it matters.
  public let level: Level
  /// A stable name: `patch.applied`, `patch.ended`, `apply.refused`, `revert.refused`,
  /// `restore.refused`, `restore.stalled`, `answer.malformed`, `confirm.refused`, `boot.retry.refused`,
  /// `boot.drop.refused`, `override.failed`, `override.switched_off`, `override.bypassed`, `override.kept_self`,
  /// `override.stuck`, `override.returned`, `closure.stuck`, `closure.returned`, `patch.stuck`,
  /// `watchdog.failed`, `closure.failed`, `closure.held`, `callback.failed`, `task.failed`,
  /// `patch.log`, `log.dropped`, `client.refused`, `config.error`, `config.unmatched`,
  /// `config.reloaded`, `config.reload.refused`, `policy.insecure`, `audit.opened`, `audit.error`; of
  /// kept patches `boot.load`, `boot.skip`, `boot.strike`, `boot.suspect`, `boot.live`, `boot.quarantine`, `boot.fallback`, `boot.baseline`, `boot.disabled`,
  /// `boot.healthy`, `boot.unhealthy`, `store.error`; of serial numbers `floors.restored`,
  /// `floors.lost`, `floors.alone`; of trials `trial.confirmed`, `trial.ended`, `trial.failed`; of
  /// facts `facts.read`, `facts.ignored`.
  public let event: String
  /// The event as a sentence.
  public let message: String
  /// The names and values, in order. No name occurs twice, and none is one that ``json`` uses
  /// itself: such a name gets a number after it.
  public let fields: [(name: String, value: Value)]
  /// Milliseconds since 1970, UTC, when it happened.
  public let milliseconds: Int

  package init(
    level: Level, event: String, message: String,
    fields: [(name: String, value: any LogValue)]
  ) {
    self.level = level
    self.event = event
    self.message = message
    self.fields = Self.distinct(fields)
    milliseconds = SystemTime.milliseconds
  }

  /// The time of the event in the form of RFC 3339, in UTC with milliseconds.
  private var time: String {
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    let second = UTCDate.text(milliseconds / 1000).dropLast()
    return "\(second).\(fraction)Z"
  }

  /// The event as one line of JSON: `ts`, `level`, `event`, `svc` (the program), `pid`, `message`,
  /// then the fields. Numbers and truth values are JSON's own.
  public var json: String {
    var line = JSONLine()
    line.add("ts", time)
    line.add("level", level.rawValue)
    line.add("event", event)
    line.add("svc", Self.program)
    line.add("pid", Int(getpid()))
    line.add("message", message)
    for (name, value) in fields {
      switch value {
      case .text(let text): line.add(name, text)
      case .integer(let number): line.add(name, number)
      case .number(let number): line.add(name, number)
      case .boolean(let flag): line.add(name, flag)
      }
    }
    return line.object
  }

  /// A script may add any number.
  private static let fieldLimit = 64
  private static let program = ProgramName.current

  /// The event as one line for a log: the time, `waxwing`, level and event, the message, then the
  /// fields as `name=value`. Text that a patch has made cannot look like another line or field.
  public var line: String {
    let fields = fields.map { " \(LogText.word($0.name))=\(LogText.word($0.value.description))" }
    return "\(time) waxwing \(level.rawValue) \(event): \(LogText.message(message))"
      + fields.joined()
  }

  /// The names that ``json`` has for itself.
  private static let ownNames = ["ts", "level", "event", "svc", "pid", "message"]

  /// The number of names up to which a search through all is faster than hashing.
  private static let fewFields = 8

  /// Told by the number of bytes as a rule, which is at hand: these are all ASCII.
  private static func isOwn(_ name: String) -> Bool {
    ownNames.contains { $0.utf8.count == name.utf8.count && $0 == name }
  }

  private static func areDistinct(_ fields: [(name: String, value: any LogValue)]) -> Bool {
    fields.indices.allSatisfy { index in
      let name = fields[index].name
      return !isOwn(name) && !fields[..<index].contains { $0.name == name }
    }
  }

  private static func distinct(
    _ fields: [(name: String, value: any LogValue)]
  ) -> [(name: String, value: Value)] {
    if fields.count <= fewFields, areDistinct(fields) {
      return fields.map { ($0.name, $0.value.logged) }
    }
    var names = Set(ownNames)
    return fields.prefix(fieldLimit).map { field in
      var name = field.name
      var number = 2
      while !names.insert(name).inserted {
        name = "\(field.name)_\(number)"
        number += 1
      }
      return (name, field.value.logged)
    }
  }
}

/// Text of a patch's making in a log's line.
enum LogText {
  /// The most characters of one text.
  private static let limit = 4096

  /// A name or a value: in quotation marks where it could be taken for more than one word.
  static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        !VisibleText.isUnsafe(scalar) && !scalar.properties.isWhitespace && scalar != "\""
          && scalar != "\\" && scalar != "="
      }
    return isPlain ? VisibleText.line(text, atMost: limit) : VisibleText.quoted(text, atMost: limit)
  }

  /// A sentence: in quotation marks where fields could be read into it, or characters are escaped.
  static func message(_ text: String) -> String {
    let isPlain =
      !text.hasPrefix("\"")
      && text.unicodeScalars.allSatisfy { scalar in
        !VisibleText.isUnsafe(scalar) && scalar != "="
      }
    return isPlain ? VisibleText.line(text, atMost: limit) : VisibleText.quoted(text, atMost: limit)
  }
}
