// SPDX-License-Identifier: MIT

import WaxwingPatches

/// A patch that is loaded.
public struct PatchInfo: Sendable {
  /// Where a patch is between `start` and `end`.
  public enum State: String, Sendable {
    /// New calls go into its overrides.
    case active
    /// The patch has ended; calls in its overrides have not.
    case draining
    /// The patch has ended; objects of its classes are alive, and go on with its code.
    case lingering
  }

  /// Where a patch comes from.
  public enum Origin: Hashable, Sendable {
    /// The program has started it itself.
    case program
    /// The patch came by the control socket without a signature, which the host's policy allows.
    case unsigned
    /// The patch is signed.
    /// - Parameters:
    ///   - identity: The signer's name in the list of those who may sign.
    ///   - key: The key: `SHA256:…` as `ssh-keygen -l` has it, or minisign's public key.
    case signed(identity: String, key: String)
  }

  /// The manifest's name, or the file's.
  public let name: String
  /// The manifest's version, 0 without one.
  public let version: Int
  /// The main file's name.
  public let file: String
  /// Where the patch is between `start` and `end`.
  public let state: State
  /// Seconds since 1970, UTC, when it went live.
  public let appliedAt: Int
  /// The patch's overrides, in the order of the script.
  public let overrides: [OverrideInfo]
  /// How many objects of the classes that it has made are alive: `["overdraft.FrozenAccount": 2]`.
  public var livingObjects: [String: Int] = [:]
  /// The types and modules that it changes, with their class versions now.
  public let classVersions: [String: Int]
  /// The methods that the patch adds to types, in the order of the script.
  public let methods: [MethodInfo]
  /// The modules that it waits for with `when_loaded`.
  public let awaitedModules: [String]
  /// Bytes that its Lua state holds.
  public let memory: Int
  /// Where the patch comes from.
  public let origin: Origin
  /// The manifest's serial number.
  public let serial: Int?
  /// The time from which the patch can no longer be loaded, in seconds since 1970.
  public let expires: Int?
  /// The counts of the patch's tasks.
  public let tasks: TaskCounts
  /// Whether its calls are measured now: see ``OverrideInfo/times``.
  public let isMeasured: Bool
  /// How many calls are in its overrides now, those of async functions that wait included.
  public let callsInFlight: Int
  /// The calls that go through the patch if not all do, such as `1% of calls by self.id`.
  public let selection: String?
  /// The sums over all overrides, where only some of them are described.
  package internal(set) var sums: OverrideSums?
  /// Calls that have been in it for longer than `Policy.limits.stuckSeconds`, the longest first.
  public package(set) var stuckCalls: [Restoration.Laggard] = []
}

/// The counts of a patch's tasks by outcome, including those that `all`, `race` and `timeout` run.
public struct TaskCounts: Hashable, Sendable {
  /// The number of tasks that have not ended.
  public let live: Int
  /// The number of tasks that failed, including cancelled ones.
  public let failed: Int
  /// The number of tasks that were cancelled because the patch's tasks had used up their time
  /// (`Policy.limits.taskMilliseconds`).
  public let cancelled: Int
}

/// One override of a patch.
public struct OverrideInfo: Sendable {
  /// The part of a patch that calls enter.
  public enum Kind: String, Sendable {
    /// A function that was assigned.
    case override
    /// Advice in place of the function.
    case instead
    /// All pieces `before` and `after` of the function.
    case advice
  }

  /// The type or module that the function belongs to, `Bank.Account`.
  public let owner: String
  /// The Swift name with labels, such as `withdraw(_:memo:)`; for accessors, with the accessor.
  public let selector: String
  /// The part of the patch that calls enter.
  public let kind: Kind
  /// The place of the override in the order in which a call reaches the live overrides of the
  /// function, from 1; 0 if the patch has ended.
  public let order: Int
  /// How many live overrides the function has.
  public let stacked: Int
  /// Calls that went into the override.
  public let calls: Int
  /// How many calls failed in the override and were answered by the original.
  public let errors: Int
  /// The last failure of the override.
  public let lastError: ErrorInfo?
  /// The reason why the override was switched off after too many failures, so that all calls go to
  /// the original; nil while it is on.
  public let switchedOff: String?
  /// Calls that went to the original without entering Lua, as the thread could not.
  public let bypassed: Int
  /// Why: the thread was in too many overrides, one called by the other, its stack too short or not its
  /// own, or another thread in the patch's Lua code for good. Each reason once, as a clause.
  public let bypassReasons: [String]
  /// How long its calls took, from where they entered the override until they left it, originals
  /// included; nil: they were never measured.
  public let times: CallTimes?
  /// How long the originals took that it called.
  public let originalTimes: CallTimes?
}

/// The overrides of a patch, added up.
package struct OverrideSums: Sendable {
  package internal(set) var overrides = 0
  package internal(set) var calls = 0
  package internal(set) var errors = 0
  package internal(set) var switchedOff = 0
}

/// How an override failed.
public struct ErrorInfo: Sendable {
  /// The error, without the place.
  public let message: String
  /// The file of the patch.
  public let file: String
  /// The line in it; 0 if unknown.
  public let line: Int
  /// The Lua functions that were running, innermost first, a line each.
  public let traceback: [String]
  /// Seconds since 1970, UTC.
  public let at: Int
}

extension PatchInfo.Origin {
  init(_ origin: PatchOrigin) {
    switch origin {
    case .program: self = .program
    case .unsigned: self = .unsigned
    case .signed(let signer): self = .signed(identity: signer.identity, key: signer.key)
    }
  }
}
