// SPDX-License-Identifier: MIT

package import WaxwingControl

/// A mark on a set that did harm, and is rolled out again only if that is forced.
package struct BadSet: Hashable, Sendable, Codable {
  /// The harm that the set did.
  package let why: String
  /// The rollout in which it was found.
  let rollout: String
  /// The controller or operator that set the mark.
  package let by: String
  /// The time of the mark.
  package let at: Timestamp

  /// Creates a mark.
  package init(why: String, rollout: String, by: String, at: Timestamp = .now()) {
    self.why = why
    self.rollout = rollout
    self.by = by
    self.at = at
  }
}
