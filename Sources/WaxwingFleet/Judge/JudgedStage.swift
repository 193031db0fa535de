// SPDX-License-Identifier: MIT

/// One stage of a rollout with all that the judge knows of it.
struct JudgedStage: Hashable, Sendable {
  /// Whether the stage is the canary stage.
  var isCanary: Bool
  /// The seconds for which controllers have watched the stage.
  var bakedSeconds: Double
  /// How long it has to be watched.
  var bakeSeconds: Double
  /// All nodes that the rollout may reach, treated or not.
  var nodes: [JudgedNode]
  /// The counts of untreated nodes before the stage, by build, for stages that leave none.
  var references: [String: GroupTotals] = [:]
  /// The limits of the rollout.
  var gates = RolloutGates()

  /// Creates a stage.
  init(
    isCanary: Bool, bakedSeconds: Double, bakeSeconds: Double, nodes: [JudgedNode]
  ) {
    self.isCanary = isCanary
    self.bakedSeconds = bakedSeconds
    self.bakeSeconds = bakeSeconds
    self.nodes = nodes
  }
}
