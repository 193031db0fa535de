// SPDX-License-Identifier: MIT

import Glibc

/// SIGINT, SIGTERM and SIGHUP as an answer to waiting: nothing runs in a signal handler. Threads that are
/// started later leave them to the thread that waits.
struct StopSignals {
  private let set: sigset_t

  /// Holds the signals back from now on.
  init() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  /// Waits.
  /// - Returns: Whether one of the signals has come.
  func come(within milliseconds: Int) -> Bool {
    var set = set
    var time = timespec(
      tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    return unsafe sigtimedwait(&set, nil, &time) > 0
  }
}
