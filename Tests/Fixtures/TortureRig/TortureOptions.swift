// SPDX-License-Identifier: MIT

/// How long to torture, and how.
public struct TortureOptions: Sendable {
  /// The same seed starts and ends the same patches in the same order.
  public var seed: UInt64
  /// Patches that are started, replaced or ended; nil for no limit.
  public var rounds: Int?
  /// When to stop at the latest.
  public var duration: Duration?
  /// How many threads call.
  public var threads = 4
  /// How many tasks do, beside them.
  public var tasks = 2
  /// Whether what malloc says is to be trusted. That of sanitizers says nothing, and glibc's counts
  /// as given out what it keeps of freed blocks for each thread, unless it is told not to.
  public var checksHeap = true
  /// What is told meanwhile, a line each.
  public var report: @Sendable (String) -> Void = { _ in }

  public init(seed: UInt64) {
    self.seed = seed
  }
}

/// What was done.
public struct TortureSummary: Sendable, CustomStringConvertible {
  public let seed: UInt64
  public internal(set) var rounds = 0
  public internal(set) var patches = 0
  public internal(set) var laggards = 0
  public internal(set) var deepest = 0
  public internal(set) var calls = 0
  public internal(set) var seconds = 0.0

  public var description: String {
    "\(rounds) rounds, \(patches) patches, up to \(deepest) on one function, \(laggards) laggards, "
      + "\(calls) calls, \(Int(seconds)) seconds, seed \(seed)"
  }
}

/// What went wrong first.
public struct TortureFailure: Error, CustomStringConvertible {
  public let description: String
}
