// SPDX-License-Identifier: MIT

/// One stage of a rollout: all that the judge is told.
struct JudgedStage: Hashable, Sendable {
  /// Whether it is that of the canaries.
  var isCanary: Bool
  /// How long somebody has watched it.
  var bakedSeconds: Double
  /// How long it has to be watched.
  var bakeSeconds: Double
  /// All nodes that the rollout may reach, treated or not.
  var nodes: [JudgedNode]
  /// By build: what untreated nodes did before, for stages that leave none.
  var references: [String: GroupTotals] = [:]
  /// The limits.
  var gates = RolloutGates()

  /// A stage.
  init(
    isCanary: Bool, bakedSeconds: Double, bakeSeconds: Double, nodes: [JudgedNode]
  ) {
    self.isCanary = isCanary
    self.bakedSeconds = bakedSeconds
    self.bakeSeconds = bakeSeconds
    self.nodes = nodes
  }
}
