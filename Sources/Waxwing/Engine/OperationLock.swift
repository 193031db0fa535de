// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingInterception

/// Lets operations on the engine take turns. A thread that is in one cannot begin another: a patch
/// that loads may run the program's code, and that may ask for a patch.
final class OperationLock: Sendable {
  private let mutex = Mutex<Void>(())
  private let owner = Atomic<UInt64>(0)

  /// - Throws: `WaxwingError.Code.conflict` on a thread that is in an operation already.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = CallInFlight.currentThread
    if owner.load(ordering: .relaxed) == thread {
      throw WaxwingError(
        .conflict, "patches cannot be started or ended while one is being started or ended",
        remedy: "do it after the script has loaded, or on another thread")
    }
    return try mutex.withLock { _ in
      owner.store(thread, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      return try body()
    }
  }
}
