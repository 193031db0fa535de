// SPDX-License-Identifier: MIT

package import WaxwingControl

/// As long as this document is there, every node is at baseline.
package struct Halt: Hashable, Sendable, Codable {
  /// Why.
  package let why: String
  /// Who has asked for it.
  package let by: String
  /// When.
  package let at: Timestamp

  /// Creates a halt.
  package init(why: String, by: String, at: Timestamp = .now()) {
    self.why = why
    self.by = by
    self.at = at
  }
}
