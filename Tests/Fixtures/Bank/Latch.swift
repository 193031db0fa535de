// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Holds a thread in the program's code until another lets it go.
public final class Latch: Sendable {
  private let isHeld = Atomic<Bool>(false)
  private let isOpen = Atomic<Bool>(false)

  public init() {}

  /// Returns once the latch is released.
  public func wait() {
    isHeld.store(true, ordering: .sequentiallyConsistent)
    while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(200) }
  }

  public func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Returns once a thread is in `wait`, or after ten seconds.
  public func waitUntilHeld() {
    for _ in 0..<50_000 where !isHeld.load(ordering: .sequentiallyConsistent) { usleep(200) }
  }
}
