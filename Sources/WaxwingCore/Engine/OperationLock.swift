// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Synchronization
import WaxwingInterception
import WaxwingSystem

/// Lets operations on the engine take turns. A thread that is in one cannot begin another: a patch
/// that loads may run the program's code, and that may ask for a patch.
///
/// That code may also never come back. Who must not wait for it sets `patience`.
package final class OperationLock: Sendable {
  /// How long an operation may go on for an operation of this thread to wait for it; nil: for ever.
  @TaskLocal package static var patience: Duration?

  private struct State {
    var owner: UInt64 = 0
    var name = ""
    var since = ContinuousClock.now
  }

  private enum Turn {
    case taken
    case mine
  }

  private let state = Monitor(State())

  init() {}

  /// - Parameter name: The name of the operation for threads that wait in vain: `applying x.lua`.
  /// - Throws: `WaxwingError.Code.conflict` on a thread that is in an operation already, and if
  ///   another thread's takes too long.
  func withLock<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    if wax_process_is_forked_child() {
      throw WaxwingError(
        .unavailable, "this process was forked while patches could be live: it runs its own code",
        remedy: "patch the parent, or have the child call `exec`")
    }
    try take(name)
    defer { state.withLock { $0.owner = 0 } }
    return try body()
  }

  private func take(_ name: String) throws {
    let thread = CallInFlight.currentThread
    let turn = state.wait(until: deadline) { state -> Turn? in
      if state.owner == thread { return .mine }
      if state.owner != 0 { return nil }
      state = State(owner: thread, name: name)
      return .taken
    }
    switch turn {
    case .taken: return
    case .mine:
      throw WaxwingError(
        .conflict, "patches cannot be started or ended while one is being started or ended",
        remedy: "do that after the script has loaded, or on another thread")
    case nil:
      throw WaxwingError(
        .conflict, "the engine is busy: \(current ?? "another operation has just ended")",
        remedy: "try again; meanwhile `waxwing restore` makes all calls run the program's own code"
      )
    }
  }

  /// The deadline of a wait for the running operation. If many threads wait for an operation that
  /// does not end, only the first ones wait for the full time.
  private var deadline: Deadline {
    guard let patience = Self.patience else { return .never }
    let elapsed = state.withLock { $0.owner == 0 ? .zero : .now - $0.since }
    return .after(seconds: (patience - elapsed) / .seconds(1))
  }

  /// Whether a thread is in an operation.
  func isHeld(by thread: UInt64) -> Bool { state.withLock { $0.owner == thread } }

  /// The operation that is running, and its duration; nil if there is none.
  var current: String? {
    state.withLock { state in
      guard state.owner != 0 else { return nil }
      let seconds = Int((.now - state.since) / .seconds(1))
      return "\(state.name) has been going on for \(seconds) s"
    }
  }
}
