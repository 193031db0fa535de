// SPDX-License-Identifier: MIT

import Glibc

/// SIGINT, SIGTERM and SIGHUP as an answer to waiting: nothing runs in a signal handler. Threads that are
/// started later leave them to the thread that waits.
package struct StopSignals {
  private let set: sigset_t

  /// Holds the signals back from now on.
  package init() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  /// Waits until one of the signals has come.
  package func wait() {
    var (set, number) = (set, Int32(0))
    unsafe sigwait(&set, &number)
  }

  /// Waits.
  /// - Returns: Whether one of the signals has come.
  package func come(within milliseconds: Int) -> Bool {
    var set = set
    var time = timespec(
      tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    return unsafe sigtimedwait(&set, nil, &time) > 0
  }
}
