// SPDX-License-Identifier: MIT

import Synchronization

/// Keeps one patch from flooding the log: so many lines a second, and twice as many at once.
package final class LogLimiter: Sendable {
  /// What becomes of a line.
  package enum Verdict: Equatable {
    /// The event is written, after this number of events was not.
    case write(dropped: Int)
    case drop
  }

  private struct Bucket {
    var lines: Double
    var filledAt: ContinuousClock.Instant
    var dropped = 0
  }

  private let perSecond: Int
  private let bucket: Mutex<Bucket>

  /// - Parameter perSecond: 0 for no limit.
  package init(perSecond: Int, now: ContinuousClock.Instant = .now) {
    self.perSecond = perSecond
    bucket = Mutex(Bucket(lines: Double(perSecond) * 2, filledAt: now))
  }

  package func admit(now: ContinuousClock.Instant = .now) -> Verdict {
    if perSecond == 0 { return .write(dropped: 0) }
    return bucket.withLock { bucket in
      let passed = max((now - bucket.filledAt) / .seconds(1), 0)
      bucket.lines = min(bucket.lines + passed * Double(perSecond), Double(perSecond) * 2)
      bucket.filledAt = now
      guard bucket.lines >= 1 else {
        bucket.dropped += 1
        return .drop
      }
      bucket.lines -= 1
      defer { bucket.dropped = 0 }
      return .write(dropped: bucket.dropped)
    }
  }
}
