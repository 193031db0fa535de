// SPDX-License-Identifier: MIT

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
    _ name: String, waitAtMost duration: Duration, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    let patch = AuditRecord.Patch(name: name)
    return try recordingRefusal(of: "revert", [patch], by: actor) {
      recorded("revert", try revert(name, waitAtMost: duration), by: actor)
    }
  }

  /// Takes all patches back.
  func restoreRecorded(
    waitAtMost duration: Duration, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    try recordingRefusal(of: "restore", [], by: actor) {
      recorded("restore", try restore(waitAtMost: duration), by: actor)
    }
  }

  /// Ends a session of the program's own.
  func endRecorded(_ session: Session, waitAtMost duration: Duration) throws -> Restoration {
    try recordingRefusal(of: "revert", [AuditRecord.Patch(name: session.name)], by: .program) {
      recorded("revert", try end(session, waitAtMost: duration), by: .program)
    }
  }

  private func recorded(
    _ event: String, _ restoration: Restoration, by actor: AuditRecord.Actor
  ) -> Restoration {
    let isWhole = restoration.differences.isEmpty && restoration.laggards.isEmpty
    counters.count(.end, isWhole ? "done" : "partial")
    note(event, restoration, by: actor)
    return restoration
  }
}
