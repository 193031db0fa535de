// SPDX-License-Identifier: MIT

import Glibc

/// Tells where its methods run.
public final class Whereabouts: Sendable {
  public init() {}

  /// The calling thread.
  public func thread() -> Int { Int(bitPattern: UInt(pthread_self())) }

  /// Belongs to no actor: runs in the concurrent pool, whoever calls it.
  public func inPool() async -> Int { thread() }

  /// The same after a wait.
  public func later() async -> Int {
    await Task.yield()
    return thread()
  }
}
