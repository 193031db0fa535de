// SPDX-License-Identifier: MIT

import WaxwingCore

/// Patches that end by themselves unless an operator confirms them.
struct Trial {
  let number: Int
  /// The numbers of the sessions in the trial.
  let sessions: [Int]
  /// The patches that the trial has replaced, and that come back when it fails.
  let previous: [AdmittedPatch]
  let deadline: ContinuousClock.Instant
  /// Whether a confirmation keeps them.
  let keeps: Bool

  var secondsLeft: Double { max(0, (deadline - .now) / .seconds(1)) }
}
