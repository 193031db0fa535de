// SPDX-License-Identifier: MIT

/// An action of a controller.
enum ControllerAction: Hashable, Sendable {
  /// Write the stage's record, in place of the one with this revision.
  case record(StageRecord, revision: Int)
  /// Write for how long the stage has been watched, in place of the document with this revision.
  case progress(StageProgress, revision: Int)
  /// Change the state, in place of the one with this revision, and log it.
  case change(RolloutState, revision: Int, event: String)
  /// Remember that a set did harm.
  case markBad(set: String, rollout: String, why: String)
  /// Say why the stage does not go on.
  case hold(why: String, gates: [GateFinding.Gate])
}
