// SPDX-License-Identifier: MIT

import Glibc

/// A bounded wait for other threads, by asking again: they must not pay for being waited for.
struct Waiting {
  private let deadline: ContinuousClock.Instant
  private var turn = 0

  init(for duration: Duration) {
    deadline = ContinuousClock.now.advanced(by: duration)
  }

  /// Lets other threads run, at first briefly, later up to a millisecond. False: time is up.
  mutating func pause() -> Bool {
    guard ContinuousClock.now < deadline else { return false }
    turn += 1
    if turn < 10 {
      sched_yield()
    } else {
      usleep(UInt32(min(1000, 20 * turn)))
    }
    return true
  }
}
