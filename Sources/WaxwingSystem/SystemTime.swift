// SPDX-License-Identifier: MIT

import Glibc

/// The time of day, which people and other programs may set.
package enum SystemTime {
  /// Milliseconds since 1970, UTC.
  package static var milliseconds: Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}
