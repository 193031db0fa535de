// SPDX-License-Identifier: MIT

/// How an agent works.
package struct AgentOptions: Sendable {
  /// The name of the node.
  package var node: String
  /// The program whose daemons it patches.
  package var program: String
  /// What selectors choose it by.
  package var labels: [String: String] = [:]
  /// A change is acted on after a random time up to this, so that not all nodes do at once; a halt at once.
  package var jitterSeconds = 5.0
  /// The seconds after which a set on trial ends, unless the agent renews it.
  package var trialSeconds = 1800.0
  /// How often it reports.
  package var reportSeconds = 10.0
  /// The seconds without a report after which the node counts as gone.
  package var leaseSeconds = 30
  /// How often it looks at its daemons.
  var lookSeconds = 1.0
  /// The seconds for which a canary goes on without the store.
  package var mostSecondsWithoutStore = 900.0
  /// The file with the highest serial number of a rollout that it has acted on; nil: for this run only.
  package var serialFile: String?

  /// Creates options with the defaults.
  package init(node: String, program: String) {
    self.node = node
    self.program = program
  }
}
