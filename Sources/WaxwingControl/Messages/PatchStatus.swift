// SPDX-License-Identifier: MIT

/// A loaded patch.
package struct PatchStatus: Hashable, Sendable, Codable {
  /// The manifest's name, or the file's.
  package let name: String

  /// The manifest's version, 0 without one.
  package let version: Int

  /// The main file's name.
  package let file: String

  /// What the engine says: `active`, `draining`, `disabled`, …
  package let state: String

  /// When it went live.
  package let appliedAt: Timestamp

  /// The class version per changed type; nil where the engine does not count them.
  package let classVersions: [String: Int]?

  /// What it overrides, in the order of the script.
  package let overrides: [OverrideStatus]

  /// Whether it is live again after a restart; nil where the engine keeps nothing.
  package var isKept: Bool?

  /// When it ends by itself, in seconds from now; nil: it is not on trial.
  package var trialSecondsLeft: Double?

  /// Creates a status.
  package init(
    name: String, version: Int, file: String, state: String, appliedAt: Timestamp,
    classVersions: [String: Int]? = nil, overrides: [OverrideStatus]
  ) {
    self.name = name
    self.version = version
    self.file = file
    self.state = state
    self.appliedAt = appliedAt
    self.classVersions = classVersions
    self.overrides = overrides
  }
}
