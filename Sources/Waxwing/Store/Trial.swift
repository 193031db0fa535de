// SPDX-License-Identifier: MIT

/// Patches that end by themselves unless somebody confirms them.
package struct Trial {
  package let number: Int
  /// Of their sessions.
  package let sessions: [Int]
  /// What they have taken the place of, and what comes back.
  package let previous: [AdmittedPatch]
  package let deadline: ContinuousClock.Instant
  /// Whether a confirmation keeps them.
  package let keeps: Bool

  package init(
    number: Int, sessions: [Int], previous: [AdmittedPatch], deadline: ContinuousClock.Instant,
    keeps: Bool
  ) {
    self.number = number
    self.sessions = sessions
    self.previous = previous
    self.deadline = deadline
    self.keeps = keeps
  }

  package var secondsLeft: Double { max(0, (deadline - .now) / .seconds(1)) }
}
