// SPDX-License-Identifier: MIT

import Glibc
import WaxwingBridge
import WaxwingControl

/// Looks from time to time at the calls that are in patches, while there are any, on a thread of its
/// own. Nothing can be done for a call that does not return; but it is said, once, where it is. Where a
/// thread stays in a patch's Lua code, so that all other calls would wait for it, all overrides of the
/// patch are switched off.
///
/// Calls announce themselves anyway (`CWaxwingRuntime/calls.h`), so that being watched costs them
/// nothing.
final class Watchdog: Sendable {
  private struct Contents: Sendable {
    /// By number.
    var patches: [Int: WatchedPatch] = [:]
    var isRunning = false
    var patience = Duration.zero
  }

  private let contents = Monitor(Contents())
  private let log: Log

  init(_ log: Log) {
    self.log = log
  }

  /// Between two looks.
  private static let seconds = 1.0
  /// Its own code needs little, but the program's handler of events runs on it.
  private static let stackSize = 512 << 10

  /// How long a call may be in a patch; zero: for ever, and nobody looks.
  var patience: Duration {
    get { contents.withLock { $0.patience } }
    set { contents.withLock { $0.patience = newValue } }
  }

  /// Begins to look at a session that has gone live.
  func watch(_ session: PatchSession) {
    let starts = contents.withLock { contents in
      contents.patches[session.number] = WatchedPatch(session)
      defer { contents.isRunning = true }
      return !contents.isRunning
    }
    guard starts else { return }
    do throws(ControlError) {
      try ControlThread.start(name: "waxwing-watch", stackSize: Self.stackSize) { [self] in work() }
    } catch {
      contents.withLock { $0.isRunning = false }
      log.write(.warning, "watchdog.failed", "calls that hang are not noticed: \(error.message)")
    }
  }

  /// Does not look at it any more from the moment that this returns: it can be closed.
  func forget(_ session: PatchSession) {
    let forgotten = contents.withLock { $0.patches.removeValue(forKey: session.number) }
    withExtendedLifetime(forgotten) {}  // not released under the lock
  }

  /// The calls of a session that last too long, the longest first.
  func stuckCalls(of session: PatchSession) -> [Restoration.Laggard] {
    let found = contents.withLock { $0.patches[session.number]?.stuck.values.map(\.self) } ?? []
    return found.map { $0.laggard(of: session.name) }.sorted { $0.seconds > $1.seconds }
  }

  private func work() {
    // Who waits for a CPU has more to do.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    while true {
      let isOver: Bool? = contents.wait(until: .after(seconds: Self.seconds)) { contents in
        guard contents.patches.isEmpty else { return nil }
        contents.isRunning = false
        return true
      }
      if isOver == true { return }
      look()
    }
  }

  private func look() {
    let found = contents.withLock { contents -> [(WatchedPatch, WatchedPatch.Finding)] in
      guard contents.patience > .zero else { return [] }
      return contents.patches.keys.sorted().flatMap { number in
        let findings = contents.patches[number]?.look(contents.patience) ?? []
        return contents.patches[number].map { patch in findings.map { (patch, $0) } } ?? []
      }
    }
    // The lock is left: the handler of events is the program's.
    for (patch, finding) in found { report(finding, in: patch) }
  }

  private func report(_ finding: WatchedPatch.Finding, in patch: WatchedPatch) {
    switch finding {
    case .stuck(let call): log.write(stuck: call, patch: patch.name)
    case .returned(let call): log.write(returned: call, patch: patch.name)
    case .occupied(let thread, let duration, let function):
      let seconds = max(1, duration.components.seconds)
      let off = patch.overrides.filter {
        $0.switchOff(after: "a thread stayed in the patch's Lua code for \(seconds) s")
      }
      log.write(
        occupied: patch.name, by: thread, function, seconds: seconds, switchedOff: off.count)
    }
  }
}
