// SPDX-License-Identifier: MIT

/// The state of a daemon and its patches.
package struct DaemonStatus: Hashable, Sendable, Codable {
  /// The daemon's program and process.
  package let daemon: DaemonInfo

  /// The daemon's patches, oldest first.
  package let patches: [PatchStatus]

  /// Whether calls can be overridden on this processor; if not, why.
  package let unsupported: String?

  /// Entries and class versions that are not what the live patches make them, a sentence each.
  package let differences: [String]

  /// The outcome of starting the kept patches; nil if none is kept, and nothing is wrong.
  package var boot: BootStatus?

  /// The role of the client that asks; nil if the engine does not report it.
  package var role: Role?

  /// The daemon's audit log; nil where the engine does not say.
  package var audit: AuditState?

  /// The configuration file's path; nil: there is none.
  package var configuration: String?

  /// The problems of the configuration, one line each. Until they are fixed, patches can only be
  /// ended.
  package var configurationTrouble: [String]?

  /// Rules that mean no function of the program, a sentence each; nil: there are none.
  package var configurationWarnings: [String]?

  /// A warning about the program's Swift, with which the engine was not tested; nil if it was.
  package var swiftWarning: String?

  /// Why the control socket is closed to the group that it should be open to.
  package var socketTrouble: String?

  /// Bytes that the Lua states of all patches hold, and may hold (0: any number); nil where the engine
  /// does not say.
  package var memory: Int?
  package var memoryLimit: Int?

  /// The operation that has been running for too long to wait for it, so that the patches and the
  /// kept patches are not known; nil if they are.
  package var busy: String?

  /// Whether patches come in without a signature; nil where the engine does not say.
  package let allowsUnsigned: Bool?

  /// How many functions are overridden by rewriting their code; nil where that is not allowed, and none is.
  package var rewrittenFunctions: Int?

  /// Creates a status.
  package init(
    daemon: DaemonInfo, patches: [PatchStatus], unsupported: String? = nil,
    differences: [String] = [], boot: BootStatus? = nil, allowsUnsigned: Bool? = nil
  ) {
    self.daemon = daemon
    self.patches = patches
    self.unsupported = unsupported
    self.differences = differences
    self.boot = boot
    self.allowsUnsigned = allowsUnsigned
  }

  /// The word of a client's role.
  package struct Role: WireWord {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ role: ControlRole) { rawValue = role.rawValue }
  }

  /// How a program is, in a word.
  package enum Condition: String, Sendable {
    /// The program runs only its own code.
    case baseline
    /// Patches are live, and all is well.
    case patched
    /// Overrides or tasks have failed, calls do not return or are in patches that have ended, or
    /// entries have unexpected words.
    case degraded
  }

  /// How the program is.
  package var condition: Condition {
    let hasErrors = patches.contains { patch in
      patch.overrides.contains { $0.errors > 0 } || patch.tasks.map { $0.failed > 0 } == true
    }
    let isDraining = patches.contains { $0.state != .active }
    let isStuck = patches.contains { patch in
      patch.stuckCalls?.isEmpty == false || patch.overrides.contains { $0.switchedOff != nil }
    }
    if busy != nil || boot?.isTroubled == true { return .degraded }
    let isMisconfigured =
      configurationTrouble?.isEmpty == false || audit?.trouble != nil || socketTrouble != nil
    if hasErrors || isDraining || isStuck || isMisconfigured || !differences.isEmpty {
      return .degraded
    }
    return patches.isEmpty ? .baseline : .patched
  }
}
