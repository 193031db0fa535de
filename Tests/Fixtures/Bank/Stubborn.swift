// SPDX-License-Identifier: MIT

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A key of which some do not let a thread out of `hash(into:)`.
public struct StubbornKey: Hashable, Sendable {
  /// What a thread that hashes a key below 0 meanwhile does.
  public enum Mood: Int, AtomicRepresentable, Sendable {
    case quick, busy, asleep
  }

  private static let currentMood = Atomic(Mood.quick)
  private static let count = Atomic(0)

  public static var mood: Mood {
    get { currentMood.load(ordering: .acquiring) }
    set { currentMood.store(newValue, ordering: .releasing) }
  }

  /// The threads that are in one of those keys' `hash(into:)`.
  public static var hashing: Int { count.load(ordering: .acquiring) }

  public let number: Int

  public init(number: Int) { self.number = number }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    guard number < 0 else { return }
    Self.count.add(1, ordering: .acquiringAndReleasing)
    defer { Self.count.subtract(1, ordering: .acquiringAndReleasing) }
    while Self.mood != .quick {
      if Self.mood == .asleep { usleep(1000) }
    }
  }
}

/// Where calls take as long as somebody wants.
public final class StubbornOffice: Sendable {
  public init() {}

  public func queue(at latch: Latch) -> Int {
    latch.wait()
    return 1
  }

  public func sort(_ keys: [StubbornKey]) -> [StubbornKey: Int] { [:] }

  public func count() -> Int { 7 }

  /// Calls it.
  public func keep(_ call: (Latch) -> Int, _ latch: Latch) -> Int { call(latch) }
}
