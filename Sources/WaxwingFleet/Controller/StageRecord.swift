// SPDX-License-Identifier: MIT

/// How the nodes were when a stage of a rollout began: what the judge counts from. Kept in the store, so that
/// any controller can go on where another has stopped.
package struct StageRecord: Hashable, Sendable, Codable {
  /// The rollout's name.
  package var rollout: String
  /// The index of its stage.
  package var stage: Int
  /// The nodes of a stage in percent.
  package var chosen: ChosenNodes?
  /// By name: the nodes that were there then, or were seen since.
  package var nodes: [String: NodeBaseline]
  /// By build: what untreated nodes did before the stage, for the last stage leaves none.
  package var references: [String: GroupTotals]

  /// Creates a record.
  package init(
    rollout: String, stage: Int, chosen: ChosenNodes? = nil, nodes: [String: NodeBaseline],
    references: [String: GroupTotals]
  ) {
    self.rollout = rollout
    self.stage = stage
    self.chosen = chosen
    self.nodes = nodes
    self.references = references
  }

  /// Whether it is of the stage that the state is at.
  package func isOf(_ state: RolloutState) -> Bool {
    rollout == state.rollout && stage == state.stage
  }
}
