// SPDX-License-Identifier: MIT

import Foundation

/// A thread of a test, which is waited for with a deadline: what hangs must fail.
package final class StartedThread: Sendable {
  private let finished = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () -> Void) {
    let finished = finished
    let thread = Thread {
      body()
      finished.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Waits for its end, and tells whether it came in time. To be asked once.
  package func join(seconds: Double = 120) -> Bool {
    finished.wait(timeout: .now() + seconds) == .success
  }
}
