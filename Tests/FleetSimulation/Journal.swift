// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingSystem

/// What daemons did, and when, a line each on standard output: milliseconds since 1970, node, words.
final class Journal: Sendable {
  private let lock = Mutex(())

  func note(_ node: String, _ words: String) {
    let line = Array("\(SystemTime.milliseconds) \(node) \(words)\n".utf8)
    lock.withLock { _ in
      // Whoever reads has gone: the simulation ends soon.
      try? SystemCall.writeAll(line[...], to: 1)
    }
  }
}
