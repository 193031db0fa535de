// SPDX-License-Identifier: MIT

import Synchronization

/// How often each body has run: the originals, and each generation's overrides.
public enum TortureLedger {
  /// Generations are numbered from 1, and this is one more than the last.
  public static let generations = 2048

  // Places that live as long as the process.
  nonisolated(unsafe) private static let originals = counters(TortureKind.allCases.count)
  nonisolated(unsafe) private static let overrides = counters(
    TortureKind.allCases.count * generations)

  private static func counters(_ count: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    let counters = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: count)
    for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
    return counters
  }

  public static func ran(_ kind: TortureKind) {
    originals[kind.rawValue].add(1, ordering: .relaxed)
  }

  /// For patches: an override of the function with this number has run.
  public static func note(_ kind: Int, _ generation: Int) {
    overrides[kind * generations + generation].add(1, ordering: .relaxed)
  }

  public static func originals(_ kind: TortureKind) -> Int {
    originals[kind.rawValue].load(ordering: .relaxed)
  }

  public static func overrides(_ kind: TortureKind, _ generation: Int) -> Int {
    overrides[kind.rawValue * generations + generation].load(ordering: .relaxed)
  }

  /// - Precondition: No thread is in any of the functions.
  public static func reset() {
    for kind in TortureKind.allCases {
      originals[kind.rawValue].store(0, ordering: .relaxed)
      for generation in 0..<generations {
        overrides[kind.rawValue * generations + generation].store(0, ordering: .relaxed)
      }
    }
  }
}
