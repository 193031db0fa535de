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

  /// Whether one of the signals has come, or nobody reads standard output any more.
  package static var hasCome: Bool { flag.load(ordering: .acquiring) || readerIsGone }

  /// Whether standard output is a pipe or a socket whose other end is closed: the command learns of it without having
  /// to write.
  private static var readerIsGone: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return unsafe poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
  }
}
