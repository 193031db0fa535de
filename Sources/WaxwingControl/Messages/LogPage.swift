// SPDX-License-Identifier: MIT

/// Lines of a daemon's log.
package struct LogPage: Codable, Hashable, Sendable {
  /// How much an event matters.
  package struct Level: WireWord {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The least first.
    package static let all = ["debug", "info", "warning", "error"].map { Level(rawValue: $0) }
  }

  /// One event.
  package struct Line: Codable, Hashable, Sendable {
    let number: Int
    package let level: Level
    /// The name of the event, such as `patch.log` or `override.failed`.
    package let event: String
    /// The patch that it is about, if it is about one.
    package let patch: String?
    /// The event as the daemon writes it, with the time.
    package let text: String
    /// The event as JSON.
    package let json: String

    package init(
      number: Int, level: Level, event: String, patch: String?, text: String, json: String
    ) {
      self.number = number
      self.level = level
      self.event = event
      self.patch = patch
      self.text = text
      self.json = json
    }
  }

  /// The events, oldest first.
  package let lines: [Line]
  /// The number of the newest event. The next request asks for the events after it.
  package let last: Int

  package init(lines: [Line], last: Int) {
    self.lines = lines
    self.last = last
  }
}
