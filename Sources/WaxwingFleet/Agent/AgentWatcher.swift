// SPDX-License-Identifier: MIT

import WaxwingSystem

/// The thread of an agent that knows what the store says now: it reads, and watches from there on, over and
/// over.
struct AgentWatcher {
  private static let longestPause = 10.0

  private let agent: Agent
  private var lastTrouble: String?

  init(_ agent: Agent) { self.agent = agent }

  func run() {
    var watcher = self
    var pause = 0.1
    while agent.pause(seconds: pause) {
      let start = Deadline.now
      do throws(FleetError) {
        try watcher.follow()
      } catch {
        watcher.note(error)
        // What worked for a while is tried again at once.
        let hasWorked = start.advanced(bySeconds: 5) < .now || error.code == .compacted
        pause = hasWorked ? Double.random(in: 0.05...0.5) : min(pause * 2, Self.longestPause)
      }
    }
  }

  /// Reads and watches until that fails.
  private mutating func follow() throws(FleetError) {
    let snapshot = try agent.backend.range(agent.keys.current)
    var entries: [String: FleetEntry] = [:]
    for entry in snapshot.entries { entries[entry.key] = entry }
    agent.see(snapshot.entries)
    let watch = try agent.backend.watch(agent.keys.current, from: snapshot.revision + 1)
    agent.shared.withLock { $0.watch = watch }
    defer { agent.shared.withLock { $0.watch = nil } }
    if lastTrouble != nil { agent.log("\(agent.backend.title) answers again") }
    lastTrouble = nil
    while !agent.shared.withLock({ $0.isStopped }) {
      let events = try watch.next(until: .after(seconds: 60))
      for event in events {
        switch event {
        case .put(let entry): entries[entry.key] = entry
        case .delete(let key, _): entries[key] = nil
        }
      }
      if !events.isEmpty { agent.see(Array(entries.values)) }
    }
  }

  private mutating func note(_ error: FleetError) {
    guard error.code != .cancelled, lastTrouble != error.message else { return }
    lastTrouble = error.message
    agent.log(error.message)
  }
}
