// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Catches signals that end a command in good order, also if the reader of its output has gone (`|
/// head`). Caught signals end no process.
package enum Interruption {
  /// An atomic word is all that a signal handler may write.
  private static let flag = Atomic(false)

  /// Catches the signals that ask a command to end.
  package static func catchSignals() {
    _ = hasCome  // made before a handler may run
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .releasing) }
    }
  }

  /// Whether one of the signals has come.
  package static var hasCome: Bool { flag.load(ordering: .acquiring) }
}
