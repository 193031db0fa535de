// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingInterception

/// The threads that are in the log handler, and the events that happened on them meanwhile.
final class NestedEvents: Sendable {
  enum Place {
    /// The thread is not in the handler: now it is.
    case outermost
    /// The event was caused by the handler, or by code that it calls.
    case nested
    /// The event is one of more events than one call of the handler may cause.
    case tooMany
  }

  /// Events that one call of the handler may cause.
  static let most = 8

  /// The number of events that the handler's call has caused, by thread.
  private let counts = Mutex<[UInt64: Int]>([:])

  func begin() -> Place {
    let thread = CallInFlight.currentThread
    return counts.withLock { counts in
      guard let count = counts[thread] else {
        counts[thread] = 0
        return .outermost
      }
      counts[thread] = count + 1
      return count < Self.most ? .nested : .tooMany
    }
  }

  /// The outermost event is written.
  /// - Returns: How many events were too many.
  func end() -> Int {
    let thread = CallInFlight.currentThread
    let count = counts.withLock { $0.removeValue(forKey: thread) ?? 0 }
    return max(0, count - Self.most)
  }
}
