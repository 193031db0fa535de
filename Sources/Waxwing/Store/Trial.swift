// SPDX-License-Identifier: MIT

import WaxwingCore

/// Patches that end by themselves unless somebody confirms them.
struct Trial {
  let number: Int
  /// Of their sessions.
  let sessions: [Int]
  /// What they have taken the place of, and what comes back.
  let previous: [AdmittedPatch]
  let deadline: ContinuousClock.Instant
  /// Whether a confirmation keeps them.
  let keeps: Bool

  var secondsLeft: Double { max(0, (deadline - .now) / .seconds(1)) }
}
