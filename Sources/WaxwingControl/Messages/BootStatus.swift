// SPDX-License-Identifier: MIT

/// A client's request about the patches that were set aside.
package enum BootAction: String, Hashable, Sendable, Codable {
  /// Shows the kept patches.
  case show
  /// Starts the patches again, at the next start.
  case retry
  /// Forgets the patches.
  case drop
}

/// The kept patches, and what became of them when the program started.
package struct BootStatus: Hashable, Sendable, Codable {
  /// A kept patch.
  package struct Patch: Hashable, Sendable, Codable {
    package let name: String
    /// The SHA-256 of its file in the store.
    let hash: String
    /// The SHA-256 of the patch itself, as `sha256sum` and the audit log have it; nil where the engine does
    /// not say, or the file in the store is damaged.
    package var sha256: String?
    /// The version in the patch's manifest, 0 without one; nil if the engine does not report it, or
    /// the file in the store is damaged.
    package var version: Int?
    /// The reason why the patch is not live; empty if it is.
    package let reason: String
    /// The time at which the reason was found.
    package let at: Timestamp?

    /// Creates the description of a patch.
    package init(name: String, hash: String, reason: String = "", at: Timestamp? = nil) {
      self.name = name
      self.hash = hash
      self.reason = reason
      self.at = at
    }

    /// A title for people to read, such as `fees version 2 (9c0f2d3e51aa)`.
    package var title: String {
      let version = version.map { " version \($0)" } ?? ""
      return "\(name)\(version) (\((sha256 ?? hash).prefix(12)))"
    }
  }

  /// The store's folder; nil: there is none.
  package var folder: String?
  /// The generation of the stored document.
  package var generation = 0
  /// The kept patches in the order in which they start.
  package var kept: [Patch] = []
  /// The patches that are not started any more.
  package var quarantined: [Patch] = []
  /// The how many-th start this is since one stayed up; 0: nothing was to be started.
  package var attempt = 0
  /// Whether this run has stayed up long enough.
  package var isHealthy = false
  /// The time since when no kept patch is started, because the program did not stay up with them;
  /// nil if they are started.
  package var crashLoopSince: Timestamp?
  /// Why no kept patch was started: a switch that an operator has set.
  package var disabled: String?
  /// The problems of the store, one sentence each.
  package var troubles: [String] = []
  /// The changes of this request, one sentence each.
  package var changes: [String] = []

  /// Creates the status of a program that keeps nothing.
  package init() {}

  /// Whether there is anything to say.
  package var isPlain: Bool {
    kept.isEmpty && quarantined.isEmpty && crashLoopSince == nil && troubles.isEmpty
      && disabled == nil
  }

  /// Whether the program is not what its operator wants it to be.
  var isTroubled: Bool {
    crashLoopSince != nil || !troubles.isEmpty || !quarantined.isEmpty
      || kept.contains { !$0.reason.isEmpty }
  }
}

/// The patches that are not on trial any more.
package struct ConfirmReport: Hashable, Sendable, Codable {
  /// The names of the patches in the order in which they started.
  package let names: [String]
  /// Whether the patches are live again after a restart.
  package let isKept: Bool

  /// Creates a report.
  package init(names: [String], isKept: Bool) {
    self.names = names
    self.isKept = isKept
  }
}
