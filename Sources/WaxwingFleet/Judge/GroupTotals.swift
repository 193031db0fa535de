// SPDX-License-Identifier: MIT

/// The counts of a group of nodes together. Sums are floating-point numbers: a node that reports
/// absurd numbers must not end the program with an overflow.
package struct GroupTotals: Hashable, Sendable, Codable {
  /// Calls of overrides, and those of them that failed.
  var calls = 0.0
  var faults = 0.0
  /// Requests of the program, and those of them that failed.
  var requests = 0.0
  var errors = 0.0
  /// How many nodes count requests.
  var counting = 0
  /// The median of the nodes' 99th percentiles of latency, in microseconds; nil if none measures it.
  package var latency: Double?

  /// The counts of these nodes since the stage began.
  init(_ nodes: [JudgedNode]) {
    self.init(nodes.compactMap(\.delta))
  }

  /// The sum of these.
  package init(_ counted: [NodeReport.Counters]) {
    for counters in counted {
      calls += Self.number(counters.calls)
      faults += Self.number(counters.faults)
      if let all = counters.requests, let failed = counters.errors {
        requests += Self.number(all)
        errors += min(Self.number(failed), Self.number(all))
        counting += 1
      }
    }
    latency = Self.median(counted.compactMap(\.latency).filter { $0 >= 0 && $0.isFinite })
  }

  /// The share of requests that failed; nil without requests.
  package var errorShare: Double? { requests > 0 ? errors / requests : nil }

  /// How many standard errors the share of errors is above the other's: the test of two proportions.
  func deviations(from other: GroupTotals) -> Double {
    guard let mine = errorShare, let others = other.errorShare else { return 0 }
    let pooled = (errors + other.errors) / (requests + other.requests)
    let variance = pooled * (1 - pooled) * (1 / requests + 1 / other.requests)
    return variance > 0 ? (mine - others) / variance.squareRoot() : 0
  }

  private static func number(_ counter: Int) -> Double { Double(max(counter, 0)) }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
