// SPDX-License-Identifier: MIT

package import WaxwingControl

/// Where the current rollout stands: the only document that changes while it goes on, by compare-and-swap.
package struct RolloutState: Hashable, Sendable, Codable, CheckedDocument {
  /// The phase of a rollout.
  package enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// The stage's nodes have the set, or get it.
    case rolling
    /// The rollout goes on, but its stage does not change.
    case paused
    /// All nodes go back to the set before.
    case rollingBack
    /// All nodes that answer are back.
    case rolledBack
    /// All selected nodes have the set, and keep it.
    case done

    /// Whether the rollout is over.
    package var isFinal: Bool { self == .rolledBack || self == .done }

    /// Whether the stage's nodes have the set.
    package var isGoingOn: Bool { self == .rolling || self == .paused }
  }

  /// The name of the rollout.
  package var rollout: String
  /// The phase of the rollout.
  package var phase: Phase
  /// The index of the rollout's stage.
  package var stage: Int
  /// Goes up with each change.
  package var epoch: Int
  /// The time at which the stage, or the phase, began.
  package var since: Timestamp
  /// The reason for the state, in the controller's or the operator's words.
  package var why: String
  /// The controller or operator that has changed the state last.
  package var by: String
  /// The nodes of a stage in percent; nil: the stage is another, or a rollout of form 1.
  package var chosen: ChosenNodes?

  /// Creates a state.
  package init(
    rollout: String, phase: Phase, stage: Int = 0, epoch: Int, since: Timestamp = .now(),
    why: String = "", by: String = "", chosen: ChosenNodes? = nil
  ) {
    self.rollout = rollout
    self.phase = phase
    self.stage = stage
    self.epoch = epoch
    self.since = since
    self.why = why
    self.by = by
    self.chosen = chosen
  }

  /// The largest number of stages, and of changes.
  private static let (mostStages, mostChanges) = (10_000, 1 << 53)

  /// The defect of the state; nil if it has none.
  package var defect: String? {
    guard (0..<Self.mostStages).contains(stage), (0..<Self.mostChanges).contains(epoch) else {
      return "its stage is \(stage), its epoch \(epoch)"
    }
    return nil
  }

  /// The state after a change.
  /// - Parameter chosen: The nodes of a new stage in percent.
  package func changed(
    to phase: Phase, stage: Int? = nil, chosen: ChosenNodes? = nil, why: String, by: String,
    at time: Timestamp = .now()
  ) -> RolloutState {
    let isSame = stage == nil || stage == self.stage
    return RolloutState(
      rollout: rollout, phase: phase, stage: stage ?? self.stage, epoch: epoch + 1, since: time,
      why: why, by: by, chosen: chosen ?? (isSame ? self.chosen : nil))
  }
}
