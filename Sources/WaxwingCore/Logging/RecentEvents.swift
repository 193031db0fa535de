// SPDX-License-Identifier: MIT

import Synchronization

/// The last events of the log, for clients who ask for them. Any thread.
package final class RecentEvents: Sendable {
  /// An event with its number: they are numbered from 1.
  package struct Numbered: Sendable {
    package let number: Int
    package let event: LogEvent
  }

  private struct State {
    /// Oldest first; nil for those that are not kept any more, which are the first.
    var events: [Numbered?] = []
    /// Where the oldest event that is kept is in `events`.
    var first = 0
    var last = 0
    /// The approximate size in bytes.
    var size = 0
    /// How many events there were of each name, with their level.
    var counts: [Kind: Int] = [:]
  }

  /// Events of one name and level.
  package struct Kind: Hashable, Sendable {
    package let event: String
    package let level: LogEvent.Level
  }

  private let state = Mutex(State())

  /// How many events are kept.
  static let most = 1000

  /// How many bytes of text the kept events have together, about.
  static let mostBytes = 1 << 20

  init() {}

  func add(_ event: LogEvent) {
    state.withLock { state in
      state.last += 1
      state.counts[Kind(event: event.event, level: event.level), default: 0] += 1
      state.events.append(Numbered(number: state.last, event: event))
      state.size += event.size
      while state.events.count - state.first > Self.most
        || state.size > Self.mostBytes && state.events.count - state.first > 1
      {
        state.size -= state.events[state.first]?.event.size ?? 0
        state.events[state.first] = nil
        state.first += 1
      }
      // Seldom, as it moves all that are kept.
      guard state.first >= Self.most / 4 else { return }
      state.events.removeFirst(state.first)
      state.first = 0
    }
  }

  /// How many events there were, by name and level, of which those of patches may have several.
  package var counts: [(kind: Kind, count: Int)] {
    state.withLock { $0.counts }.map { (kind: $0.key, count: $0.value) }
      .sorted { ($0.kind.event, $0.kind.level.rawValue) < ($1.kind.event, $1.kind.level.rawValue) }
  }

  /// The events after one, oldest first.
  /// - Parameters:
  ///   - number: The number of the last known event; nil if none is known.
  ///   - most: The largest number of events, the newest ones.
  /// - Returns: The events, and the number of the newest event.
  package func events(after number: Int?, most: Int) -> (events: [Numbered], last: Int) {
    state.withLock { state in
      // Numbers are above those of this process if it was another one that was asked before.
      let known = number.map { $0 > state.last ? 0 : $0 } ?? 0
      let fresh = state.events[state.first...].compactMap(\.self).drop { $0.number <= known }
      return (Array(fresh.suffix(max(0, most))), state.last)
    }
  }
}

extension LogEvent {
  /// The approximate size of the event's text in bytes.
  fileprivate var size: Int {
    fields.reduce(64 + message.utf8.count) { size, field in
      let text: Int = if case .text(let value) = field.value { value.utf8.count } else { 8 }
      return size + field.name.utf8.count + text
    }
  }
}
