// SPDX-License-Identifier: MIT

/// How a node was when a stage began, or when it was seen first.
package struct NodeBaseline: Hashable, Sendable, Codable {
  /// The node's counters at that time.
  var counters: NodeReport.Counters
  /// Patches that were set aside already.
  var quarantined: [String]
  /// The builds of its daemons, so that it is not forgotten when it is silent.
  var builds: [String]
  /// The set that it reported then.
  var set: String?

  /// How a node is now.
  init(_ report: NodeReport) {
    counters = report.counters
    quarantined = report.quarantined
    builds = report.builds
    set = report.set
  }
}
