// SPDX-License-Identifier: MIT

import Synchronization

/// Whether a requested restoration still waits for its turn.
final class PendingRestores: Sendable {
  private let isWaiting = Atomic(false)

  /// - Returns: False: one waits already, and does for this one too.
  func begin() -> Bool { !isWaiting.exchange(true, ordering: .acquiringAndReleasing) }

  func end() { isWaiting.store(false, ordering: .releasing) }
}
