// SPDX-License-Identifier: MIT

import Glibc

/// A clock that is never set.
enum MonotonicClock {
  /// Milliseconds since some moment.
  static var milliseconds: Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}
