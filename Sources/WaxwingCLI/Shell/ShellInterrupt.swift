// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Counts how often Ctrl-C is pressed, from its beginning to its end: until then it ends no process. One inside another counts anew.
struct ShellInterrupt: ~Copyable {
  /// An atomic word is all that a signal handler may write.
  private static let pressed = Atomic(0)

  private var before = sigaction()

  init() {
    Self.pressed.store(0, ordering: .releasing)
    // Without SA_RESTART: whoever waits wakes up.
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in
      ShellInterrupt.pressed.add(1, ordering: .releasing)
    }
    unsafe sigaction(SIGINT, &action, &before)
  }

  deinit {
    var before = before
    unsafe sigaction(SIGINT, &before, nil)
  }

  var count: Int { Self.pressed.load(ordering: .acquiring) }
}
