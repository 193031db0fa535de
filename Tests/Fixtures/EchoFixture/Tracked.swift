// SPDX-License-Identifier: MIT

import Synchronization

/// An object whose life is counted: what leaks, or dies too early, shows.
public class Tracked: @unchecked Sendable {
  private static let count = Atomic<Int>(0)

  /// How many of them there are in the process.
  public static var alive: Int { count.load(ordering: .sequentiallyConsistent) }

  init() { Self.count.add(1, ordering: .sequentiallyConsistent) }

  deinit { Self.count.subtract(1, ordering: .sequentiallyConsistent) }
}

/// The object that most values hold.
public final class Token: Tracked, EchoReference, @unchecked Sendable {
  public var tag = 7
}
