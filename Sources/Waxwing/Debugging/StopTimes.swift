// SPDX-License-Identifier: MIT

import Synchronization

/// The times during which threads have waited for debuggers, so that the watchdog does not report
/// these calls as stuck.
final class StopTimes: Sendable {
  private struct Stop {
    let thread: UInt64
    let began: ContinuousClock.Instant
    var ended: ContinuousClock.Instant?
  }

  /// The largest number of ended stops that are remembered.
  private static let most = 256

  private let stops = Mutex<[Stop]>([])

  /// A thread begins to wait.
  func begin(_ thread: UInt64) {
    stops.withLock { stops in
      if stops.count >= Self.most, let oldest = stops.firstIndex(where: { $0.ended != nil }) {
        stops.remove(at: oldest)
      }
      stops.append(Stop(thread: thread, began: .now))
    }
  }

  /// Notes that the thread goes on.
  func end(_ thread: UInt64) {
    stops.withLock { stops in
      guard let index = stops.lastIndex(where: { $0.thread == thread && $0.ended == nil }) else {
        return
      }
      stops[index].ended = .now
    }
  }

  /// How much of the time since then a thread has waited.
  func time(of thread: UInt64, inLast duration: Duration) -> Duration {
    stops.withLock { stops in
      let now = ContinuousClock.now
      let start = now.advanced(by: .zero - duration)
      return stops.filter { $0.thread == thread }.reduce(.zero) { sum, stop in
        let began = max(start, stop.began)
        let ended = stop.ended ?? now
        return began < ended ? sum + (ended - began) : sum
      }
    }
  }
}
