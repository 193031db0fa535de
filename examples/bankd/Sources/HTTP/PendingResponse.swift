// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// An answer that a task works on while the thread of its connection waits.
///
/// That thread is the connection's own and none of those that tasks run on, so that any number of
/// connections may wait and no task is kept from running.
final class PendingResponse: Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private let response = Mutex<HTTPResponse?>(nil)

  /// How often to look whether the answer is still wanted, in milliseconds.
  private static let interval = 50

  /// Has a task do the work, and waits for the end of it.
  ///
  /// - Parameter isAbandoned: Asked from time to time; once it says so, the task is cancelled.
  static func result(
    of work: @escaping @Sendable () async -> HTTPResponse, isAbandoned: () -> Bool
  ) -> HTTPResponse {
    let pending = PendingResponse()
    let task = Task {
      pending.arrive(await work())
    }
    while true {
      let deadline = DispatchTime.now() + .milliseconds(interval)
      if pending.arrival.wait(timeout: deadline) == .success, let response = pending.taken {
        return response
      }
      if !task.isCancelled, isAbandoned() { task.cancel() }
    }
  }

  private func arrive(_ response: HTTPResponse) {
    self.response.withLock { $0 = response }
    arrival.signal()
  }

  private var taken: HTTPResponse? { response.withLock { $0 } }
}
