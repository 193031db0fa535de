// SPDX-License-Identifier: MIT

/// A loaded patch.
package struct PatchStatus: Hashable, Sendable, Codable {
  /// Where a patch is between its start and its end.
  package struct State: WireWord {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// New calls go into its overrides.
    package static let active = State(rawValue: "active")
    /// It has ended; calls that were in its overrides have not.
    package static let draining = State(rawValue: "draining")
    /// It has ended; objects of its classes are alive.
    static let lingering = State(rawValue: "lingering")
    /// It is loaded, and no call goes into its overrides.
    package static let disabled = State(rawValue: "disabled")
  }

  /// The manifest's name, or the file's.
  package let name: String

  /// The manifest's version, 0 without one.
  package let version: Int

  /// The main file's name.
  let file: String

  /// What the engine says.
  package let state: State

  /// When it went live.
  package let appliedAt: Timestamp

  /// The class version per changed type; nil where the engine does not count them.
  let classVersions: [String: Int]?

  /// What it overrides, in the order of the script.
  package let overrides: [OverrideStatus]

  /// Which calls go through it, if not all do: `1% of calls by self.id`.
  package var selection: String?

  /// Whether it is live again after a restart; nil where the engine keeps nothing.
  package var isKept: Bool?

  /// When it ends by itself, in seconds from now; nil: it is not on trial.
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

  /// What came of its tasks; nil: an engine that does not count them.
  package var tasks: Tasks?

  /// What came of a patch's tasks.
  package struct Tasks: Hashable, Sendable, Codable {
    /// Those that have not ended.
    package let live: Int
    /// Those that failed.
    package let failed: Int
    /// Of these, those that were cancelled for want of time.
    package let cancelled: Int

    /// Creates counts.
    package init(live: Int, failed: Int, cancelled: Int) {
      self.live = live
      self.failed = failed
      self.cancelled = cancelled
    }
  }

  /// Where it comes from; nil where the engine does not say.
  package let origin: Origin?

  /// The serial number that its signer gave it.
  package let serial: Int?

  /// From when on it is not loaded any more.
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
      /// It came without a signature.
      package static let unsigned = Kind(rawValue: "unsigned")
      /// It is signed.
      package static let signed = Kind(rawValue: "signed")
    }

    /// How it came in.
    package let kind: Kind

    /// Who has signed it, by the name in the list of those who may.
    package let signer: String?

    /// The signer's key.
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
