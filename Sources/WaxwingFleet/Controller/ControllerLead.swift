// SPDX-License-Identifier: MIT

import WaxwingControl

/// The controller that leads; written under its lease.
package struct ControllerLead: Hashable, Sendable, Codable {
  /// The name of the controller.
  package let name: String
  /// The time since when the controller leads.
  let since: Timestamp

  /// Why a document is not that of a controller that lives; nil: it is.
  package static func defect(of entry: FleetEntry) -> String? {
    do throws(FleetError) {
      _ = try DocumentCoder.decode(ControllerLead.self, from: entry.value, named: "it")
    } catch { return error.message }
    return entry.isLeased ? nil : "it is not bound to a lease, so that no controller keeps it alive"
  }

  /// Creates a mark.
  init(name: String, since: Timestamp = .now()) {
    self.name = name
    self.since = since
  }
}
