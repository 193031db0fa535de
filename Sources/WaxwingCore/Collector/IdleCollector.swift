// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingScripting
import WaxwingSystem

/// Collects garbage in patches' Lua states while nothing goes on there, on a thread of its own.
///
/// A proxy keeps its object until it is collected. Where a program waits for an object to die, such as
/// a socket that is closed by its deinitializer, that must not take until the next calls come.
final class IdleCollector: Sendable {
  // Deinitializers of the program's run on it.
  private let thread = SessionThread<[StateCollector]>(name: "waxwing-collect", stackSize: 8 << 20)
  private let shortest = Mutex(Duration.zero)
  private let currentLook = Monitor(Look())
  private let log: Log

  /// The look at all states that is under way.
  private struct Look: Sendable {
    var number = 0
    /// The thread that looks; nil if none does.
    var thread: pthread_t?
  }

  init(_ log: Log) {
    self.log = log
  }

  /// The number of looks without work after which pauses become longer, and the factor by which
  /// they do.
  private static let (looksBeforeLong, longFactor) = (20, 5)
  /// The pause after which a collector that is turned off looks whether it still is.
  private static let offPause = Duration.seconds(1)

  /// The pause between two looks; zero if the collector is off.
  var pause: Duration {
    get { shortest.withLock { $0 } }
    set { shortest.withLock { $0 = newValue } }
  }

  /// Begins with a session that has gone live.
  func watch(_ session: PatchSession) {
    let states = session.runtime.all.map(StateCollector.init)
    do throws(ThreadError) {
      try thread.add(states, for: session.number) { [self] in work() }
    } catch {
      log.write(
        .warning, "collector.failed",
        "objects that overrides have seen may live longer than usual: \(error.message)")
    }
  }

  /// Does not start work for the session any more.
  func forget(_ session: PatchSession) { thread.remove(session.number) }

  /// Waits until what the collector has taken from the states up to now is released: up to a second, because
  /// deinitializers may take any time, and one of them may be what calls this.
  /// - Returns: Whether there was something to wait for.
  func waitForReleases() -> Bool {
    let (number, isOther) = currentLook.withLock { look in
      (look.number, look.thread != nil && look.thread != pthread_self())
    }
    guard isOther else { return false }
    _ = currentLook.wait(until: .after(seconds: Self.mostSecondsForReleases)) { look in
      look.thread == nil || look.number != number ? true : nil
    }
    return true
  }

  private static let mostSecondsForReleases = 1.0

  private func work() {
    var quietLooks = 0
    let joint = JointCollector()
    while thread.pause(seconds: seconds(after: quietLooks)) {
      guard pause > .zero else { continue }
      currentLook.withLock { look in
        look.number += 1
        look.thread = pthread_self()
      }
      defer { currentLook.withLock { $0.thread = nil } }
      // Without the lock: deinitializers run, which may do anything.
      let states = thread.withEntries { $0.values.flatMap(\.self) }
      let isBusy = states.map { $0.look() }.contains(true)
      let isJointBusy = joint.look(at: states)
      quietLooks = isBusy || isJointBusy ? 0 : quietLooks + 1
    }
  }

  private func seconds(after quietLooks: Int) -> Double {
    let pause = pause
    if pause == .zero { return Self.offPause / .seconds(1) }
    return pause * (quietLooks < Self.looksBeforeLong ? 1 : Self.longFactor) / .seconds(1)
  }
}
