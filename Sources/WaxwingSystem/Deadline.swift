// SPDX-License-Identifier: MIT

import Glibc

/// A moment on the monotonic clock, which no change of the time of day moves.
package struct Deadline: Hashable, Comparable, Sendable {
  /// The time in nanoseconds of `CLOCK_MONOTONIC`.
  let nanoseconds: UInt64

  /// Creates the moment at which the clock shows this number of nanoseconds.
  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The moment `seconds` from now; a negative or absurd number is brought into range.
  package static func after(seconds: Double) -> Deadline {
    let bounded = seconds.isNaN ? 0 : min(max(seconds, 0), 1e6)
    return Deadline(nanoseconds: nanosecondsNow() + UInt64(bounded * 1e9))
  }

  /// The present moment.
  package static var now: Deadline { Deadline(nanoseconds: nanosecondsNow()) }

  /// A deadline that is later than every other moment.
  package static let never = Deadline(nanoseconds: .max)

  /// The moment after this number of seconds.
  package func advanced(bySeconds seconds: Double) -> Deadline {
    Deadline(nanoseconds: nanoseconds + UInt64(min(max(seconds, 0), 1e6) * 1e9))
  }

  /// How long ago the moment was, in seconds; 0 for one to come.
  package var secondsAgo: Double {
    let now = Self.nanosecondsNow()
    return now > nanoseconds ? Double(now - nanoseconds) / 1e9 : 0
  }

  /// The earlier moment is the smaller.
  package static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Whether the moment is over.
  package var isPast: Bool { nanoseconds <= Self.nanosecondsNow() }

  /// The timeout for `poll`: milliseconds until then, rounded up, or -1 for never.
  package var pollTimeout: Int32 {
    if self == .never { return -1 }
    let now = Self.nanosecondsNow()
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  var timespec: Glibc.timespec {
    let bounded = min(nanoseconds, UInt64(Int32.max) * 1_000_000_000)
    return Glibc.timespec(
      tv_sec: Int(bounded / 1_000_000_000), tv_nsec: Int(bounded % 1_000_000_000))
  }

  private static func nanosecondsNow() -> UInt64 {
    var time = Glibc.timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
