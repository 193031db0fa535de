// SPDX-License-Identifier: MIT

/// A loaded patch.
package struct PatchStatus: Hashable, Sendable, Codable {
  /// Where a patch is between its start and its end.
  package struct State: WireWord {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// New calls go into its overrides.
    package static let active = State(rawValue: "active")
    /// The patch has ended; calls in its overrides have not.
    package static let draining = State(rawValue: "draining")
    /// The patch has ended; objects of its classes are alive.
    static let lingering = State(rawValue: "lingering")
    /// The patch is loaded, and no call enters its overrides.
    package static let disabled = State(rawValue: "disabled")
  }

  /// The manifest's name, or the file's.
  package let name: String

  /// The manifest's version, 0 without one.
  package let version: Int

  /// The main file's name.
  let file: String

  /// The state that the engine reports.
  package let state: State

  /// The time at which the patch went live.
  package let appliedAt: Timestamp

  /// The class version per changed type; nil where the engine does not count them.
  let classVersions: [String: Int]?

  /// The patch's overrides, in the order of the script.
  package let overrides: [OverrideStatus]

  /// The sums over all of the patch's overrides; nil if all are listed.
  package var sums: OverrideSums?

  /// The calls that go through the patch if not all do, such as `1% of calls by self.id`.
  package var selection: String?

  /// Whether the patch is live again after a restart; nil if the engine keeps no patches.
  package var isKept: Bool?

  /// The seconds after which the patch ends by itself; nil if it is not on trial.
  package var trialSecondsLeft: Double?

  /// Calls that have been in it for too long; nil: an engine that does not watch them.
  package var stuckCalls: [Laggard]?

  /// How many objects of the classes that it has made are alive, by class; nil: none.
  package var livingObjects: [String: Int]?

  /// Whether its calls are measured now; nil: an engine that does not measure.
  package var isMeasured: Bool?

  /// How many calls are in its overrides now; nil: an engine that does not say.
  package var callsInFlight: Int?

  /// Bytes that its Lua state holds; nil where the engine does not say.
  package var memory: Int?

  /// The counts of the patch's tasks; nil for an engine that does not count them.
  package var tasks: Tasks?

  /// The counts of a patch's tasks by outcome.
  package struct Tasks: Hashable, Sendable, Codable {
    /// The number of tasks that have not ended.
    package let live: Int
    /// The number of tasks that failed.
    package let failed: Int
    /// The number of failed tasks that were cancelled because the patch's tasks had used up their
    /// time.
    package let cancelled: Int

    /// Creates counts.
    package init(live: Int, failed: Int, cancelled: Int) {
      self.live = live
      self.failed = failed
      self.cancelled = cancelled
    }
  }

  /// The origin of the patch; nil if the engine does not report it.
  package let origin: Origin?

  /// The serial number that its signer gave it.
  package let serial: Int?

  /// The time from which the patch can no longer be loaded.
  let expires: Timestamp?

  /// Whether that time is over by the daemon's clock: it is live still, and would not be loaded any more.
  /// nil where the engine does not say.
  package var isExpired: Bool?

  /// Where a patch comes from.
  package struct Origin: Hashable, Sendable, Codable {
    /// How a patch came in.
    package struct Kind: WireWord {
      package let rawValue: String

      package init(rawValue: String) { self.rawValue = rawValue }

      /// The program has started it itself.
      package static let program = Kind(rawValue: "program")
      /// The patch came without a signature.
      package static let unsigned = Kind(rawValue: "unsigned")
      /// The patch is signed.
      package static let signed = Kind(rawValue: "signed")
    }

    /// The way in which the patch came.
    package let kind: Kind

    /// The name of the signer in the list of those who may sign.
    package let signer: String?

    /// The key of the signer.
    let key: String?

    /// Creates an origin.
    package init(kind: Kind, signer: String? = nil, key: String? = nil) {
      self.kind = kind
      self.signer = signer
      self.key = key
    }
  }

  /// Creates a status.
  package init(
    name: String, version: Int, file: String, state: State, appliedAt: Timestamp,
    classVersions: [String: Int]? = nil, overrides: [OverrideStatus], origin: Origin? = nil,
    serial: Int? = nil, expires: Timestamp? = nil
  ) {
    self.name = name
    self.version = version
    self.file = file
    self.state = state
    self.appliedAt = appliedAt
    self.classVersions = classVersions
    self.overrides = overrides
    self.origin = origin
    self.serial = serial
    self.expires = expires
  }
}
