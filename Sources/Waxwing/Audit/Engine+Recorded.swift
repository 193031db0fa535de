// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingPatches

/// What the engine can be asked to do, with its record and its count.
extension Engine {
  /// Applies patches that arrived by the control socket.
  func applyRecorded(
    _ bundles: [PatchBundle], _ replacement: Replacement, waitAtMost duration: Duration,
    _ terms: Terms = Terms(), by actor: AuditRecord.Actor
  ) throws -> Application {
    try recordingRefusal(of: "apply", bundles.map(AuditRecord.Patch.init), by: actor) {
      counted(try apply(bundles, replacement, waitAtMost: duration, terms, by: actor))
    }
  }

  /// Applies patches of the program's own.
  func applyRecorded(
    _ sources: [PatchSource], _ replacement: Replacement, waitAtMost duration: Duration
  ) throws -> Application {
    try recordingRefusal(of: "apply", sources.map(AuditRecord.Patch.init), by: .program) {
      let patches = sources.map { AdmittedPatch(source: $0, origin: .program) }
      return counted(try apply(patches, replacement, waitAtMost: duration))
    }
  }

  private func counted(_ application: Application) -> Application {
    let isUnchanged = application.applied.allSatisfy(\.isUnchanged)
    counters.count(.apply, isUnchanged ? "unchanged" : "done")
    return application
  }

  /// Takes one patch back.
  func revertRecorded(
    _ name: String, waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    let patch = AuditRecord.Patch(name: name)
    return try recordingRefusal(of: "revert", [patch], by: actor) {
      counted(try revert(name, waitAtMost: duration, now: now, by: actor))
    }
  }

  /// Takes all patches back.
  func restoreRecorded(
    waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    try recordingRefusal(of: "restore", [], by: actor) {
      counted(try restore(waitAtMost: duration, now: now, by: actor))
    }
  }

  /// Ends a session of the program's own.
  func endRecorded(
    _ session: Session, waitAtMost duration: Duration, now: Bool = false
  ) throws -> Restoration {
    try recordingRefusal(of: "revert", [AuditRecord.Patch(name: session.name)], by: .program) {
      counted(try end(session, waitAtMost: duration, now: now))
    }
  }

  private func counted(_ restoration: Restoration) -> Restoration {
    counters.count(.end, restoration.isComplete ? "done" : "partial")
    return restoration
  }

  /// Lets patches on trial stay.
  func confirmRecorded(_ name: String?, by actor: AuditRecord.Actor) throws -> ConfirmReport {
    let patches = name.map { [AuditRecord.Patch(name: $0)] } ?? []
    return try recordingRefusal(of: "confirm", patches, by: actor) {
      try confirm(name, by: actor)
    }
  }

  /// Shows, or decides about, what was set aside.
  func bootRecorded(_ action: BootAction, by actor: AuditRecord.Actor) throws -> BootStatus {
    guard action != .show else { return try bootStatus() }
    return try recordingRefusal(of: "boot.\(action.rawValue)", [], by: actor) {
      try boot(action, by: actor)
    }
  }
}
