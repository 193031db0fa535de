// SPDX-License-Identifier: MIT

/// What `apply` did.
package struct ApplyReport: Hashable, Sendable, Codable {
  /// The patch as it is now.
  package let patch: PatchStatus

  /// The version of the patch of the same name that it took the place of; nil if there was none.
  package let replacedVersion: Int?

  /// Whether the very same patch was live already, so that nothing was done.
  package let isUnchanged: Bool

  /// What the author should know although the patch is live.
  package let warnings: [String]

  /// Creates a report.
  package init(
    patch: PatchStatus, replacedVersion: Int? = nil, isUnchanged: Bool = false,
    warnings: [String] = []
  ) {
    self.patch = patch
    self.replacedVersion = replacedVersion
    self.isUnchanged = isUnchanged
    self.warnings = warnings
  }
}
