// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// How many calls took how long, in a histogram of fixed buckets (`wax_runtime_times.h`).
package struct TimeCounts: Hashable, Sendable {
  /// Calls by bucket; empty: there were none.
  private var buckets: [UInt64] = []
  /// How long all calls took together, in nanoseconds.
  package private(set) var sum: UInt64 = 0
  /// How long the longest took, in nanoseconds.
  package private(set) var longest: UInt64 = 0

  package init() {}

  init(_ counts: borrowing wax_runtime_times_counts) {
    sum = counts.sum
    longest = counts.longest
    buckets = withUnsafeBytes(of: counts.buckets) { Array($0.bindMemory(to: UInt64.self)) }
  }

  /// How many calls there were.
  package var calls: UInt64 { buckets.reduce(0, &+) }

  /// The time that a share of all calls did not exceed, in nanoseconds: the end of its bucket, which is an
  /// eighth above the time itself at most.
  package func quantile(_ share: Double) -> UInt64 {
    let wanted = max(1, Double(calls) * share)
    var seen: UInt64 = 0
    for (bucket, count) in buckets.enumerated() where count > 0 {
      seen &+= count
      if Double(seen) >= wanted { return min(longest, wax_runtime_times_bucket_end(bucket)) }
    }
    return longest
  }

  /// The buckets that have calls, shortest first, with their ends in nanoseconds.
  package var spans: [(end: UInt64, calls: UInt64)] {
    buckets.enumerated().filter { $0.element > 0 }.map {
      (wax_runtime_times_bucket_end($0.offset), $0.element)
    }
  }

  /// How many calls took no longer than each of some times, which are powers of two and in order.
  package func calls(upTo bounds: [UInt64]) -> [UInt64] {
    var found: [UInt64] = []
    var (seen, bucket): (UInt64, Int) = (0, 0)
    for bound in bounds {
      while bucket < buckets.count, wax_runtime_times_bucket_end(bucket) <= bound {
        seen &+= buckets[bucket]
        bucket += 1
      }
      found.append(seen)
    }
    return found
  }

  /// The calls of both.
  package static func + (a: TimeCounts, b: TimeCounts) -> TimeCounts {
    if a.buckets.isEmpty { return b }
    var sum = a
    for (bucket, count) in b.buckets.enumerated() { sum.buckets[bucket] &+= count }
    sum.sum &+= b.sum
    sum.longest = max(a.longest, b.longest)
    return sum
  }
}
