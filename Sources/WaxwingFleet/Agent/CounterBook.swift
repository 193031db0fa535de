// SPDX-License-Identifier: MIT

import WaxwingControl

/// Adds up what daemons count, whose counters disappear with their patches and begin anew with their
/// processes.
package struct CounterBook: Sendable {
  private struct Life: Hashable, Sendable {
    let daemon: String
    let pid: Int32
    let patch: String
    let appliedAt: Timestamp
  }

  private struct Counts: Sendable {
    var calls = 0
    var faults = 0
    var fallbacks = 0
  }

  private var last: [Life: Counts] = [:]
  private var pids: [String: Int32] = [:]

  /// The counters of the node.
  package private(set) var counters = NodeReport.Counters()

  /// - Parameter start: A number that no other run of the agent has.
  package init(start: Int) { counters.since = start }

  /// Takes what all daemons say now, by their sockets.
  package mutating func note(_ daemons: [String: ObservedDaemon]) {
    var seen: [Life: Counts] = [:]
    counters.switchedOff = 0
    for (name, daemon) in daemons {
      if let old = pids[name], old != daemon.pid { counters.restarts += 1 }
      pids[name] = daemon.pid
      for patch in daemon.patches {
        let life = Life(
          daemon: name, pid: daemon.pid, patch: patch.name, appliedAt: patch.appliedAt)
        let now = Counts(calls: patch.calls, faults: patch.faults, fallbacks: patch.fallbacks)
        add(now, since: last[life] ?? Counts())
        counters.switchedOff += patch.switchedOff
        seen[life] = now
      }
    }
    last = seen
  }

  private mutating func add(_ now: Counts, since old: Counts) {
    counters.calls += max(0, now.calls - old.calls)
    counters.faults += max(0, now.faults - old.faults)
    counters.fallbacks += max(0, now.fallbacks - old.fallbacks)
  }
}
