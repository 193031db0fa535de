// SPDX-License-Identifier: MIT

package import WaxwingControl

/// Keeps every node at baseline as long as this document exists.
package struct Halt: Hashable, Sendable, Codable {
  /// The reason for the halt.
  package let why: String
  /// The operator who asked for the halt.
  package let by: String
  /// The time of the halt.
  package let at: Timestamp

  /// Creates a halt.
  package init(why: String, by: String, at: Timestamp = .now()) {
    self.why = why
    self.by = by
    self.at = at
  }
}
