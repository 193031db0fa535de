// SPDX-License-Identifier: MIT

import Synchronization

/// Lets nobody pass while it is closed.
public final class Gate: Sendable {
  public static let shared = Gate()

  private let isOpen = Atomic(true)
  private let count = Atomic(0)

  init() {}

  /// How many calls of `pass` are waiting.
  public var waiting: Int { count.load(ordering: .acquiring) }
  public func open() { isOpen.store(true, ordering: .releasing) }
  public func close() { isOpen.store(false, ordering: .releasing) }

  public func pass() -> Bool {
    count.add(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) { pause() }
    count.subtract(1, ordering: .acquiringAndReleasing)
    return true
  }
}

@inline(never)
private func pause() {
  for _ in 0..<1000 { _ = ContinuousClock.now }
}
