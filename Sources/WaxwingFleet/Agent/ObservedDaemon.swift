// SPDX-License-Identifier: MIT

package import WaxwingControl

/// What an agent sees of one daemon.
package struct ObservedDaemon: Hashable, Sendable {
  /// One patch that is live.
  package struct Patch: Hashable, Sendable {
    var name: String
    var version = 0
    package var serial: Int?
    package var isOnTrial = false
    /// The time at which the patch went live. It tells two lives of one patch apart.
    package var appliedAt = Timestamp(secondsSince1970: 0)
    package var calls = 0
    package var faults = 0
    var fallbacks = 0
    var switchedOff = 0

    /// A patch that nobody has called.
    package init(name: String) { self.name = name }
  }

  /// The process id of the daemon.
  var pid: Int32
  /// The program's build; nil: it has none.
  package var build: String?
  /// An identifier of the set of live patches, as `DaemonInfo.current`.
  package var current: String?
  /// The live patches.
  package var patches: [Patch] = []
  /// How many patches are kept for the next start.
  package var kept = 0
  /// The patches that were set aside because the program crashed with them.
  var quarantined: [String] = []
  /// The problem of the daemon in one sentence; nil if it has none.
  var trouble: String?

  /// A daemon without patches.
  package init(pid: Int32) { self.pid = pid }

  /// Whether nothing of a patch is there, nor comes back.
  var isAtBaseline: Bool { patches.isEmpty && kept == 0 }

  /// Whether a patch ends by itself.
  var isOnTrial: Bool { patches.contains(where: \.isOnTrial) }

  /// Whether its live patches are those that a set describes.
  func matches(_ set: FleetSet) -> Bool {
    guard patches.count == set.patches.count else { return false }
    return set.patches.allSatisfy { wanted in
      patches.contains {
        $0.name == wanted.name && $0.version == wanted.version && $0.serial == wanted.serial
      }
    }
  }
}

extension ObservedDaemon {
  /// What a daemon says of itself.
  init(_ status: DaemonStatus) {
    self.init(pid: status.daemon.pid)
    build = status.daemon.buildID
    current = status.daemon.current
    patches = status.patches.filter { $0.state == .active || $0.state == .disabled }.map(
      Patch.init)
    kept = status.boot?.kept.count ?? 0
    quarantined = status.boot?.quarantined.map(\.name) ?? []
    trouble =
      status.busy ?? status.unsupported ?? status.configurationTrouble?.first
      ?? status.audit?.trouble
  }
}

extension ObservedDaemon.Patch {
  init(_ status: PatchStatus) {
    self.init(name: status.name)
    version = status.version
    serial = status.serial
    isOnTrial = status.trialSecondsLeft != nil
    appliedAt = status.appliedAt
    let total = status.total
    calls = Int(clamping: total.calls)
    faults = Int(clamping: total.errors)
    fallbacks = Int(clamping: total.fallbacks)
    switchedOff = total.switchedOff
  }
}
