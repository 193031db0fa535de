// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization

/// Calls that are made again for a client: patches that are for replays only take part in them.
package enum CallReplay {
  /// The kernel's number of the thread that makes a call again; 0: none does.
  private static let thread = Atomic<UInt64>(0)

  package static var isRunningOnThisThread: Bool {
    let running = thread.load(ordering: .acquiring)
    return running != 0 && running == wax_process_current_thread()
  }

  /// Runs `body`, and all that it calls on this thread, as a replay.
  /// - Returns: nil: another thread makes one.
  package static func run<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard
      thread.compareExchange(
        expected: 0, desired: wax_process_current_thread(), ordering: .acquiringAndReleasing
      )
      .exchanged
    else { return nil }
    defer { thread.store(0, ordering: .releasing) }
    return try body()
  }
}
