// SPDX-License-Identifier: MIT

import Glibc

/// SIGTERM and SIGINT, waited for by the main thread. Made before other threads are, which inherit that the
/// signals are blocked.
struct EndSignals {
  private var signals: sigset_t

  init() {
    signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  func wait() {
    var (signals, number) = (signals, Int32(0))
    unsafe sigwait(&signals, &number)
  }
}
