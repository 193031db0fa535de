// SPDX-License-Identifier: MIT

import SweepFixture
import Synchronization
import Waxwing

/// Runs the workload without a patch, then with each that it is given.
final class Sweeper: Sendable {
  let baseline: SweepBaseline
  private let expected: [String]
  private let events: Lines

  init() async throws {
    let events = Lines()
    self.events = events
    WaxwingEngine.setLogHandler { event in
      if event.level != .info && event.level != .debug { events.add(event.line) }
    }
    // Not all calls of a patch that fails are to be left out.
    var policy = Policy()
    policy.limits.faults = 0
    WaxwingEngine.policy = policy

    let left = Lines()
    let first = Lines()
    await runSweepWorkload {
      first.add($0)
    } ended: { section in
      let objects = liveSweepObjects()
      if !objects.isEmpty { left.add("\(section): \(objects)") }
    }
    let second = Lines()
    await runSweepWorkload { second.add($0) }
    expected = first.all
    baseline = SweepBaseline(
      lines: first.all.count, left: left.all, unstable: differences(first.all, second.all))
  }

  /// Applies the patch, runs the workload, ends the patch, and tells what was different.
  func sweep(_ command: SweepCommand) async throws -> SweepReport {
    var report = SweepReport(name: command.name)
    events.clear()
    let session: Session
    do {
      session = try WaxwingEngine.start(text: command.patch, name: "sweep")
    } catch let error as WaxwingError {
      report.refused = error.message
      return report
    }
    let output = Lines()
    await runSweepWorkload { output.add($0) }
    _ = try WaxwingEngine.liveObjects(collecting: true)
    report.left = liveSweepObjects()
    try report.note(WaxwingEngine.list().flatMap(\.overrides))
    let restoration = try WaxwingEngine.end(session)
    report.unrestored = restoration.differences
    if !restoration.isComplete { report.unrestored.append("\(restoration.laggards)") }
    let changed = differences(expected, output.all)
    report.differing = changed.count
    report.differences = Array(changed.prefix(3))
    report.faults += events.all.prefix(3)
    return report
  }
}

extension SweepReport {
  fileprivate mutating func note(_ overrides: [OverrideInfo]) {
    for override in overrides {
      let name = "\(override.owner).\(override.selector)"
      calls[name, default: 0] += override.calls
      bypassed += override.bypassed
      if override.errors > 0 {
        faults.append("\(name): \(override.errors) errors: \(override.lastError?.message ?? "")")
      }
      if let reason = override.switchedOff { faults.append("\(name) is off: \(reason)") }
    }
  }
}

/// Lines that are not the same, a sentence each.
private func differences(_ expected: [String], _ actual: [String]) -> [String] {
  var all: [String] = []
  for index in 0..<max(expected.count, actual.count) {
    let old = index < expected.count ? expected[index] : "no line"
    let new = index < actual.count ? actual[index] : "no line"
    if old != new { all.append("expected <\(old)>, got <\(new)>") }
  }
  return all
}

/// Lines in the order of their coming.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  func clear() { lines.withLock { $0 = [] } }
}
