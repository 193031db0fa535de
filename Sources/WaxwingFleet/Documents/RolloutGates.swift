// SPDX-License-Identifier: MIT

/// When a stage of a rollout fails, and what is needed to judge it at all. Ratios are shares of 1.
package struct RolloutGates: Hashable, Sendable, Codable {
  /// So many nodes of a stage must have the set and report.
  package var minimumNodes = 1
  /// So many calls must have gone through the set's overrides since the stage began.
  package var minimumCalls = 1000
  /// Of the nodes, so many may have crashed or set patches aside; in a canary none.
  var maximumCrashRatio = 0.01
  /// Of the overrides' calls, so many may have failed,
  var maximumFaultRatio = 0.001
  /// once there were so many calls.
  var minimumFaultCalls = 20
  /// By so much may the program's own errors be above those of untreated nodes,
  var maximumErrorIncrease = 0.01
  /// with this significance (of two proportions),
  var errorSignificance = 3.0
  /// once both had so many requests.
  var minimumErrorRequests = 1000
  /// By this factor may the 99th percentile of times be above that of untreated nodes,
  var maximumLatencyFactor = 1.5
  /// if it is so many microseconds above it at least.
  var minimumLatencyIncrease = 5000.0
  /// Of the stage's nodes, so many may be silent.
  var maximumSilentRatio = 0.2

  /// The defaults.
  package init() {}
}
