// SPDX-License-Identifier: MIT

package import WaxwingControl

/// Which controller leads; written under its lease.
package struct ControllerLead: Hashable, Sendable, Codable {
  /// The controller's name.
  package let name: String
  /// Since when.
  package let since: Timestamp

  /// Creates a mark.
  package init(name: String, since: Timestamp = .now()) {
    self.name = name
    self.since = since
  }
}
