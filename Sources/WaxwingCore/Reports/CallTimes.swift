// SPDX-License-Identifier: MIT

package import WaxwingInterception

/// How long the calls took that were measured: by the clock on the wall, waits included.
public struct CallTimes: Hashable, Sendable {
  package let counts: TimeCounts

  init(_ counts: TimeCounts) { self.counts = counts }

  /// How many calls were measured: those that have returned.
  public var calls: Int { Int(clamping: counts.calls) }

  /// How long all of them took together.
  public var total: Duration { Self.duration(counts.sum) }

  /// How long the longest took.
  public var longest: Duration { Self.duration(counts.longest) }

  /// The time that half of the calls did not exceed.
  public var p50: Duration { quantile(0.5) }

  /// The time that 99 of 100 calls did not exceed.
  public var p99: Duration { quantile(0.99) }

  /// The time that a share of the calls, from 0 to 1, did not exceed; at most an eighth too long, as calls
  /// are counted by spans of time. Zero if there was no call.
  public func quantile(_ share: Double) -> Duration { Self.duration(counts.quantile(share)) }

  private static func duration(_ nanoseconds: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: nanoseconds))
  }
}
