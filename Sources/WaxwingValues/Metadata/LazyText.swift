// SPDX-License-Identifier: MIT

internal import Synchronization

/// A text that always comes out the same, made when it is first asked for.
package struct LazyText: ~Copyable, Sendable {
  private let known = Mutex<String?>(nil)

  package init() {}

  package func text(_ make: () -> String) -> String {
    if let known = known.withLock({ $0 }) { return known }
    let text = make()  // without the lock: it may take a while
    known.withLock { $0 = text }
    return text
  }
}
