// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl

/// Collects garbage in patches' Lua states while nothing goes on there, on a thread of its own.
///
/// A proxy keeps its object until it is collected. Where a program waits for an object to die, a
/// socket that is closed by its deinitializer, that must not take until the next calls come.
final class IdleCollector: Sendable {
  private struct Contents: Sendable {
    /// By number of the session.
    var patches: [Int: [StateCollector]] = [:]
    var isRunning = false
    var pause = Duration.zero
  }

  private let contents = Monitor(Contents())
  private let log: Log

  init(_ log: Log) {
    self.log = log
  }

  /// After so many looks with nothing to do the pauses are longer.
  private static let looksBeforeLong = 20
  private static let longPause = 5
  /// Deinitializers of the program's run on it.
  private static let stackSize = 8 << 20

  /// Between two looks; zero: nobody looks.
  var pause: Duration {
    get { contents.withLock { $0.pause } }
    set { contents.withLock { $0.pause = newValue } }
  }

  /// Begins with a session that has gone live.
  func watch(_ session: PatchSession) {
    let states = session.runtime.all.map(StateCollector.init)
    let starts = contents.withLock { contents in
      contents.patches[session.number] = states
      defer { contents.isRunning = true }
      return !contents.isRunning
    }
    guard starts else { return }
    do throws(ControlError) {
      try ControlThread.start(name: "waxwing-collect", stackSize: Self.stackSize) { [self] in
        work()
      }
    } catch {
      contents.withLock { $0.isRunning = false }
      log.write(
        .warning, "collector.failed",
        "objects that overrides have seen may live longer than without them: \(error.message)")
    }
  }

  /// Does not begin with anything of it any more.
  func forget(_ session: PatchSession) {
    let forgotten = contents.withLock { $0.patches.removeValue(forKey: session.number) }
    withExtendedLifetime(forgotten) {}  // not released under the lock
  }

  private func work() {
    var quietLooks = 0
    while true {
      let factor = quietLooks < Self.looksBeforeLong ? 1 : Self.longPause
      let pause = self.pause == .zero ? Duration.seconds(1) : self.pause * factor
      let isOver: Bool? = contents.wait(until: .after(seconds: pause / .seconds(1))) { contents in
        guard contents.patches.isEmpty else { return nil }
        contents.isRunning = false
        return true
      }
      if isOver == true { return }
      // Without the lock: deinitializers run, which may do anything.
      let states = contents.withLock { contents in
        contents.pause == .zero ? [] : contents.patches.values.flatMap(\.self)
      }
      let isBusy = states.map { $0.look() }.contains(true)
      quietLooks = isBusy ? 0 : quietLooks + 1
    }
  }
}
