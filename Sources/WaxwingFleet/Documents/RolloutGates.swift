// SPDX-License-Identifier: MIT

/// The limits beyond which a stage of a rollout fails, and what is needed to judge it. Ratios are
/// shares of 1.
package struct RolloutGates: Hashable, Sendable, Codable {
  /// The number of nodes of a stage that must have the set and report.
  package var minimumNodes = 1
  /// The number of calls that must have gone through the set's overrides since the stage began.
  package var minimumCalls = 1000
  /// The largest share of nodes that may have crashed or set patches aside. In a canary stage no
  /// node may.
  var maximumCrashRatio = 0.01
  /// The largest share of the overrides' calls that may fail.
  var maximumFaultRatio = 0.001
  /// The number of calls from which ``maximumFaultRatio`` counts.
  var minimumFaultCalls = 20
  /// The largest difference between the program's error rate and that of untreated nodes.
  var maximumErrorIncrease = 0.01
  /// The significance from which ``maximumErrorIncrease`` counts, in the test of two proportions.
  var errorSignificance = 3.0
  /// The number of requests, on treated and on untreated nodes, from which ``maximumErrorIncrease``
  /// counts.
  var minimumErrorRequests = 1000
  /// The largest factor between the 99th percentile of times and that of untreated nodes.
  var maximumLatencyFactor = 1.5
  /// The least increase in microseconds for which ``maximumLatencyFactor`` counts.
  var minimumLatencyIncrease = 5000.0
  /// The largest share of the stage's nodes that may be silent.
  var maximumSilentRatio = 0.2

  /// Creates the default limits.
  package init() {}
}
