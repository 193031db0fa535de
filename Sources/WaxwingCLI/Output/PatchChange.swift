// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// A difference in a daemon's patches since the last look.
struct PatchChange: Encodable, Equatable {
  enum Kind: String, Encodable {
    /// A patch is there, or one of another version.
    case applied
    /// A patch is gone.
    case ended
    /// The patch is in another state: draining, kept, expired, …
    case state
    /// Calls have come into an override.
    case calls
    /// An override has failed, or was switched off.
    case errors
    /// The daemon is gone, or is there again.
    case away, back
  }

  let change: Kind
  /// RFC 3339, UTC, to the second.
  var at = ""
  var patch: String?
  var version: Int?
  var state: String?
  var override: String?
  var calls: UInt64?
  var errors: UInt64?
  /// The number of calls since the last look.
  var newCalls: UInt64?
  var newErrors: UInt64?
  var switchedOff: String?

  /// The change in one line.
  var text: String {
    let name = patch ?? ""
    return switch change {
    case .applied: "\(name) version \(version ?? 0): \(state ?? "")"
    case .ended: "\(name): ended"
    case .state: "\(name): \(state ?? "")"
    case .calls:
      "\(name): \(override ?? ""): \(Self.number(calls, "call")) (+\(newCalls ?? 0))"
    case .errors:
      "\(name): \(override ?? ""): \(Self.number(errors, "error")) (+\(newErrors ?? 0))"
        + (switchedOff.map { ", switched off after \($0)" } ?? "")
    case .away: "the daemon is away"
    case .back: "the daemon is there again"
    }
  }

  private static func number(_ count: UInt64?, _ thing: String) -> String {
    counted(Int(clamping: count ?? 0), thing)
  }

  /// The changes patch by patch, in the order of the list.
  static func between(_ old: [PatchStatus], _ new: [PatchStatus]) -> [PatchChange] {
    var left = old
    var changes: [PatchChange] = []
    for patch in new {
      guard let index = left.firstIndex(where: { $0.isSame(as: patch) }) else {
        changes.append(PatchChange(.applied, of: patch))
        continue
      }
      changes += between(left.remove(at: index), patch)
    }
    return left.map { PatchChange(.ended, of: $0) } + changes
  }

  private static func between(_ old: PatchStatus, _ new: PatchStatus) -> [PatchChange] {
    var changes = old.lastingStateText == new.lastingStateText ? [] : [PatchChange(.state, of: new)]
    for override in new.overrides {
      let before = old.overrides.first {
        $0.qualifiedName == override.qualifiedName && $0.kind == override.kind
      }
      changes += between(before ?? OverrideStatus(selector: override.selector), override, of: new)
    }
    return changes
  }

  private static func between(
    _ old: OverrideStatus, _ new: OverrideStatus, of patch: PatchStatus
  ) -> [PatchChange] {
    var changes: [PatchChange] = []
    if new.calls != old.calls {
      var change = PatchChange(.calls, of: patch, new)
      change.calls = new.calls
      change.newCalls = new.calls > old.calls ? new.calls - old.calls : new.calls
      changes.append(change)
    }
    if new.errors != old.errors || new.switchedOff != old.switchedOff {
      var change = PatchChange(.errors, of: patch, new)
      change.errors = new.errors
      change.newErrors = new.errors > old.errors ? new.errors - old.errors : 0
      change.switchedOff = new.switchedOff
      changes.append(change)
    }
    return changes
  }

  init(_ change: Kind) { self.change = change }

  private init(_ change: Kind, of patch: PatchStatus, _ override: OverrideStatus? = nil) {
    self.change = change
    self.patch = patch.name
    if override == nil {
      version = patch.version
      state = change == .ended ? nil : patch.lastingStateText
    }
    self.override = override?.qualifiedName
  }
}

extension PatchStatus {
  /// Whether both are of one session, of which its patch has been replaced meanwhile.
  fileprivate func isSame(as other: PatchStatus) -> Bool {
    name == other.name && version == other.version && appliedAt == other.appliedAt
  }

  /// `stateText` without the seconds that run.
  fileprivate var lastingStateText: String {
    var patch = self
    patch.trialSecondsLeft = nil
    return patch.stateText + (trialSecondsLeft == nil ? "" : ", trial")
  }
}
