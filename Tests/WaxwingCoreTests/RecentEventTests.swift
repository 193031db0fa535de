// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingCore

/// The events that a daemon keeps for those who ask.
@Suite struct RecentEventTests {
  private func event(_ message: String) -> LogEvent {
    LogEvent(level: .info, event: "test", message: message, fields: [])
  }

  @Test func `events behind a number are given, the newest of them`() {
    let recent = RecentEvents()
    #expect(recent.events(after: nil, most: 5).last == 0)
    for number in 1...5 { recent.add(event("\(number)")) }
    let (events, last) = recent.events(after: 2, most: 2)
    #expect(events.map(\.event.message) == ["4", "5"] && last == 5)
    #expect(recent.events(after: 5, most: 9).events.isEmpty)
    #expect(recent.events(after: nil, most: 0) == ([], 5))
  }

  @Test func `a number of another process means all events`() {
    let recent = RecentEvents()
    recent.add(event("1"))
    #expect(recent.events(after: 700, most: 9).events.map(\.number) == [1])
  }

  @Test func `so many events are kept, and so many bytes`() {
    let recent = RecentEvents()
    for number in 1...(RecentEvents.most + 10) { recent.add(event("\(number)")) }
    let kept = recent.events(after: nil, most: .max).events
    #expect(kept.count == RecentEvents.most && kept.first?.number == 11)
    let long = String(repeating: "x", count: RecentEvents.mostBytes / 4)
    for _ in 1...8 { recent.add(event(long)) }
    #expect((1...4).contains(recent.events(after: nil, most: .max).events.count))
    recent.add(event(String(repeating: "x", count: 2 * RecentEvents.mostBytes)))
    #expect(recent.events(after: nil, most: .max).events.count == 1)
  }
}

private func == (a: (events: [RecentEvents.Numbered], last: Int), b: ([Int], Int)) -> Bool {
  a.events.map(\.number) == b.0 && a.last == b.1
}
