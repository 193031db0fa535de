// SPDX-License-Identifier: MIT

import Foundation

/// The signals that ask the program to stop, taken one at a time instead of by a handler.
struct TerminationSignals {
  private var signals: sigset_t

  /// Blocks SIGTERM and SIGINT in this thread and in all that it starts, and ignores SIGPIPE:
  /// a client that hangs up is an error of `send`, not the end of the program.
  static func blocked() -> TerminationSignals {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    return TerminationSignals(signals: signals)
  }

  /// Returns when one of the signals has come.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
  }
}
