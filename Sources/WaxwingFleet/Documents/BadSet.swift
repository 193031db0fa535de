// SPDX-License-Identifier: MIT

package import WaxwingControl

/// That a set did harm, and is not rolled out again without being forced.
package struct BadSet: Hashable, Sendable, Codable {
  /// What it did.
  package let why: String
  /// The rollout in which it was found.
  let rollout: String
  /// Who has found it.
  package let by: String
  /// When.
  package let at: Timestamp

  /// Creates a mark.
  package init(why: String, rollout: String, by: String, at: Timestamp = .now()) {
    self.why = why
    self.rollout = rollout
    self.by = by
    self.at = at
  }
}
