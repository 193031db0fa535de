// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingScripting

/// The sessions that wait for modules. A thread that loads one must not wait for an operation of the
/// engine, which may be waiting for that thread: so this is not part of any.
final class LateSessions: Sendable {
  private let runtimes = Mutex<[Int: ScriptRuntime]>([:])
  // One thread after the other, so that the second of two that load a module finds it overridden.
  private let turn = OperationLock()

  /// Lets a session take part that waits for modules.
  func add(_ session: PatchSession) {
    if session.runtime.modules.late.names.isEmpty { return }
    ModuleLoading.observe { [self] in modulesLoaded() }
    runtimes.withLock { $0[session.number] = session.runtime }
  }

  func remove(_ session: PatchSession) {
    let removed = runtimes.withLock { $0.removeValue(forKey: session.number) }
    withExtendedLifetime(removed) {}  // not released under the lock
  }

  /// Whether a thread runs what patches have for a module.
  func isRunning(on thread: UInt64) -> Bool { turn.isHeld(by: thread) }

  /// Lets sessions whose modules are there declare their overrides, older sessions first.
  func modulesLoaded() {
    // A thread that is in here already, and has loaded a module from a patch, goes on below.
    try? turn.withLock("a module") {
      let waiting = runtimes.withLock { $0.sorted { $0.key < $1.key } }
      while waiting.count(where: { $0.value.modules.runLoaded() }) > 0 {}
    }
  }
}
