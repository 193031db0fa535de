// SPDX-License-Identifier: MIT

/// One stage of a rollout: all that the judge is told.
package struct JudgedStage: Hashable, Sendable {
  /// Whether it is that of the canaries.
  package var isCanary: Bool
  /// How long somebody has watched it.
  package var bakedSeconds: Double
  /// How long it has to be watched.
  package var bakeSeconds: Double
  /// All nodes that the rollout may reach, treated or not.
  package var nodes: [JudgedNode]
  /// By build: what untreated nodes did before, for stages that leave none.
  package var references: [String: GroupTotals] = [:]
  /// The limits.
  package var gates = RolloutGates()

  /// A stage.
  package init(
    isCanary: Bool, bakedSeconds: Double, bakeSeconds: Double, nodes: [JudgedNode]
  ) {
    self.isCanary = isCanary
    self.bakedSeconds = bakedSeconds
    self.bakeSeconds = bakeSeconds
    self.nodes = nodes
  }
}
