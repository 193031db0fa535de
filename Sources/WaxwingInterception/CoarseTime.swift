// SPDX-License-Identifier: MIT

import Glibc

/// A moment on the monotonic clock, to some milliseconds: reading it costs a few nanoseconds.
package struct CoarseTime: Hashable, Comparable, Sendable {
  let nanoseconds: UInt64

  /// - Parameter nanoseconds: By `CLOCK_MONOTONIC_COARSE`.
  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (one: CoarseTime, other: CoarseTime) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  static var now: CoarseTime {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return CoarseTime(nanoseconds: UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec))
  }

  /// How long ago it was.
  package var age: Duration {
    let now = Self.now.nanoseconds
    return .nanoseconds(now > nanoseconds ? Int64(now - nanoseconds) : 0)
  }
}
