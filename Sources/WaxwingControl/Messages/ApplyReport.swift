// SPDX-License-Identifier: MIT

/// The result of `apply`.
package struct ApplyReport: Hashable, Sendable, Codable {
  /// The outcome for one patch.
  package struct Applied: Hashable, Sendable, Codable {
    /// The patch as it is now.
    package let patch: PatchStatus

    /// The version of the patch of the same name that it took the place of; nil if there was none.
    package let replacedVersion: Int?

    /// Whether the very same patch was live already, so that nothing was done.
    package let isUnchanged: Bool

    /// Warnings for the author, although the patch is live.
    package let warnings: [String]

    /// Creates a part of a report.
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

  /// The patches, in the order in which they were sent.
  package let applied: [Applied]

  /// The patches that ended and that no newer version takes the place of.
  package let endedPatches: [String]

  /// Calls that are still in patches that ended.
  package let laggards: [Laggard]

  /// Creates a report.
  package init(applied: [Applied], endedPatches: [String] = [], laggards: [Laggard] = []) {
    self.applied = applied
    self.endedPatches = endedPatches
    self.laggards = laggards
  }
}
