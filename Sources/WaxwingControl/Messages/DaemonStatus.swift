// SPDX-License-Identifier: MIT

/// Who a daemon is and how its patches do.
package struct DaemonStatus: Hashable, Sendable, Codable {
  /// The daemon.
  package let daemon: DaemonInfo

  /// Its patches, oldest first.
  package let patches: [PatchStatus]

  /// Whether calls can be overridden on this processor; if not, why.
  package let unsupported: String?

  /// Creates a status.
  package init(daemon: DaemonInfo, patches: [PatchStatus], unsupported: String? = nil) {
    self.daemon = daemon
    self.patches = patches
    self.unsupported = unsupported
  }
}
