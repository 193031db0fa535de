// SPDX-License-Identifier: MIT

import WaxwingControl

/// How a node is: written by its agent under a lease, over and over. Counters only grow as long as
/// ``Counters/since`` stays the same.
package struct NodeReport: Hashable, Sendable, Codable {
  /// The counts of a node since its agent, or one of its daemons, has started.
  package struct Counters: Hashable, Sendable, Codable {
    /// A number that changes with each start after which counters begin anew.
    package var since = 0
    /// The number of calls of overrides.
    package var calls = 0
    /// Calls in which an override failed.
    package var faults = 0
    /// Calls that the original answered because an override failed or was switched off.
    var fallbacks = 0
    /// Overrides that are switched off because they failed too often.
    package var switchedOff = 0
    /// How often a daemon has gone away and was there again, or another, as this agent saw it.
    package var restarts = 0
    /// Requests that the program counts itself, and those that it failed; nil: it counts none.
    package var requests: Int?
    var errors: Int?
    /// The 99th percentile of the program's times, in microseconds; nil: it measures none.
    package var latency: Double?

    /// Creates counters at zero.
    init() {}
  }

  /// The name of the node.
  package var node: String
  /// The build IDs of its daemons, sorted.
  package var builds: [String]
  /// The rollout that the node has acted on; nil: none.
  var rollout: String?
  /// The epoch of the state that it has acted on.
  package var epoch: Int
  /// The set that all its daemons are at; nil: baseline, or several, or none that was published.
  package var set: String?
  /// Whether all its daemons are at baseline.
  package var isBaseline: Bool
  /// Whether the node is where it should be.
  package var isConverged: Bool
  /// Whether its set is on trial, so that it ends by itself.
  package var isOnTrial: Bool
  /// Whether the node has seen a halt.
  package var isHalted: Bool
  /// The daemons that answer.
  package var daemons: Int
  /// Patches that the engine has set aside because the program crashed with them.
  package var quarantined: [String]
  /// The reason why the node is not where it should be, or another problem; nil if there is none.
  package var trouble: String?
  /// The counters of the node.
  package var counters: Counters
  /// The time of the report by the node's clock.
  var at: Timestamp

  /// A node of which nothing is known yet.
  init(node: String, at time: Timestamp = .now()) {
    self.node = node
    builds = []
    epoch = 0
    isBaseline = false
    isConverged = false
    isOnTrial = false
    isHalted = false
    daemons = 0
    quarantined = []
    counters = Counters()
    at = time
  }
}
