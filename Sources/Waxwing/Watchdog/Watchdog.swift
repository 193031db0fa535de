// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingBridge
import WaxwingCore
import WaxwingInterception
import WaxwingOperations
import WaxwingSystem

/// Looks from time to time at the calls that are in patches, while there are any, on a thread of its
/// own. Nothing can be done for a call that does not return; but it is said, once, where it is. Where a
/// thread stays in a patch's Lua code, so that all other calls would wait for it, all overrides of the
/// patch are switched off.
///
/// Calls announce themselves anyway (`CWaxwingRuntime/calls.h`), so that being watched costs them
/// nothing.
final class Watchdog: EngineObserver {
  // Its own code needs little stack, but the program's handler of events runs on it.
  private let thread = SessionThread<WatchedPatch>(name: "waxwing-watch", stackSize: 512 << 10)
  private let longest = Mutex(Duration.zero)
  private let log: Log
  private let stopTimes: StopTimes

  init(_ log: Log, _ stopTimes: StopTimes) {
    self.log = log
    self.stopTimes = stopTimes
  }

  /// The seconds between two looks.
  private static let seconds = 1.0

  /// The time that a call may be in a patch; zero for no limit, and no watchdog.
  private var patience: Duration { longest.withLock { $0 } }

  func limitsHaveChanged(_ limits: Policy.Limits) {
    longest.withLock { $0 = .seconds(max(0, limits.stuckSeconds)) }
  }

  /// Begins to look at the session.
  func sessionIsLive(_ session: PatchSession) {
    do throws(ThreadError) {
      try thread.add(WatchedPatch(session), for: session.number) { [self] in work() }
    } catch {
      log.write(.warning, "watchdog.failed", "stuck calls are not detected: \(error.message)")
    }
  }

  /// Stops looking at the session. When this returns, the session can be closed.
  func sessionCloses(_ session: PatchSession) { thread.remove(session.number) }

  /// The calls of a session that last too long, the longest first.
  func stuckCalls(of session: PatchSession) -> [Restoration.Laggard] {
    let found = thread.withEntries { $0[session.number]?.stuck.values.map(\.self) } ?? []
    return found.map { $0.laggard(of: session.name) }.sorted { $0.seconds > $1.seconds }
  }

  private func work() {
    // Who waits for a CPU has more to do.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    while thread.pause(seconds: Self.seconds) { look() }
  }

  private func look() {
    let patience = patience
    guard patience > .zero else { return }
    let found = thread.withEntries { patches -> [(WatchedPatch, WatchedPatch.Observation)] in
      patches.keys.sorted().flatMap { number in
        let observations = patches[number]?.look(patience, stopTimes) ?? []
        return patches[number].map { patch in observations.map { (patch, $0) } } ?? []
      }
    }
    // The lock is left: the handler of events is the program's.
    for (patch, observation) in found { report(observation, in: patch) }
  }

  private func report(_ observation: WatchedPatch.Observation, in patch: WatchedPatch) {
    switch observation {
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

extension StuckCall {
  fileprivate func laggard(of patch: String) -> Restoration.Laggard {
    Restoration.Laggard(
      patch: patch, function: function, threadID: thread, threadName: ThreadName.of(thread),
      seconds: began.age / .seconds(1), stack: stack)
  }
}
