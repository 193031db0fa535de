// SPDX-License-Identifier: MIT

package import WaxwingControl

/// One decision about the fleet, for its history.
package struct FleetLogEntry: Hashable, Sendable, Codable {
  /// The time of the decision.
  package let at: Timestamp
  /// A word: `published`, `started`, `stage`, `held`, `paused`, `resumed`, `aborted`, `rolledBack`, `done`,
  /// `halted`, `lifted`, `chosen` (nodes of a stage that had none), `defect` (a document cannot be read).
  package let event: String
  /// The controller or operator that decided.
  package let by: String
  /// The rollout that it is about; nil: none.
  package let rollout: String?
  /// The set that it is about; nil: none.
  package let set: String?
  /// Why, in words and numbers.
  package let why: String

  /// Creates an entry.
  package init(
    _ event: String, by: String, rollout: String? = nil, set: String? = nil, why: String = "",
    at time: Timestamp = .now()
  ) {
    at = time
    self.event = event
    self.by = by
    self.rollout = rollout
    self.set = set
    self.why = why
  }
}
