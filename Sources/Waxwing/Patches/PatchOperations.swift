// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingDeclarations
import WaxwingOperations
import WaxwingPatches

/// The operations on patches, each with its record and its count.
final class PatchOperations: Sendable {
  private let engine: Engine
  private let kept: KeptPatches
  private let trials: Trials
  private let audit: AuditTrail
  private let counters: ControlCounters

  init(
    _ engine: Engine, _ kept: KeptPatches, _ trials: Trials, _ audit: AuditTrail,
    _ counters: ControlCounters
  ) {
    self.engine = engine
    self.kept = kept
    self.trials = trials
    self.audit = audit
    self.counters = counters
  }

  // MARK: Applying

  /// Applies patches that arrived by the control socket; all or none.
  func apply(
    _ bundles: [PatchBundle], _ options: ApplyOptions, _ terms: Terms = Terms(),
    by actor: AuditRecord.Actor
  ) throws -> Application {
    try audit.recordingRefusal(of: "apply", bundles.map(AuditRecord.Patch.init), by: actor) {
      counted(try apply(try admit(bundles, terms), options, terms, by: actor))
    }
  }

  private func admit(_ bundles: [PatchBundle], _ terms: Terms) throws -> [AdmittedPatch] {
    try bundles.map { bundle in
      var patch = try engine.admission.admit(bundle)
      patch.selection = terms.selection
      return patch
    }
  }

  /// Says what would come of applying patches that arrived by the control socket. On record is only that
  /// they were checked, as `check`, and no count goes up.
  func dryRun(
    _ bundles: [PatchBundle], _ options: ApplyOptions, _ terms: Terms, by actor: AuditRecord.Actor
  ) throws -> DryRun {
    let patches = bundles.map(AuditRecord.Patch.init)
    return try audit.recordingRefusal(of: "check", patches, by: actor) {
      let admitted = try admit(bundles, terms)
      let found = try engine.dryRun(admitted, options, with: DryRunParticipant(kept, audit, terms))
      audit.note(
        AuditRecord(
          "check", "done", by: actor, patches: patches, generation: engine.sessions.generation))
      return found
    }
  }

  /// Applies patches of the program's own.
  func apply(_ sources: [PatchSource], _ options: ApplyOptions) throws -> Application {
    try audit.recordingRefusal(of: "apply", sources.map(AuditRecord.Patch.init), by: .program) {
      let patches = sources.map { AdmittedPatch(source: $0, origin: .program) }
      return counted(try apply(patches, options, Terms(), by: .program))
    }
  }

  /// Applies a patch of the engine's own making, for a client.
  func applyOwn(
    _ source: PatchSource, for purpose: ScriptOptions.Purpose = .watch, by actor: AuditRecord.Actor
  ) throws -> Application {
    try audit.recordingRefusal(of: "apply", [AuditRecord.Patch(source)], by: actor) {
      var patch = AdmittedPatch(source: source, origin: .program)
      patch.purpose = purpose
      let options = ApplyOptions(.none, waitAtMost: .zero)
      return counted(try apply([patch], options, Terms(), by: actor))
    }
  }

  private func apply(
    _ patches: [AdmittedPatch], _ options: ApplyOptions, _ terms: Terms,
    by actor: AuditRecord.Actor
  ) throws -> Application {
    let participant = RecordedApply(engine, kept, trials, audit, terms, by: actor)
    return try engine.apply(patches, options, with: participant)
  }

  private func counted(_ application: Application) -> Application {
    let isUnchanged = application.applied.allSatisfy(\.isUnchanged)
    counters.count(.apply, isUnchanged ? "unchanged" : "done")
    return application
  }

  /// Lets patches on trial stay.
  func confirm(_ name: String?, by actor: AuditRecord.Actor) throws -> ConfirmReport {
    let patches = name.map { [AuditRecord.Patch(name: $0)] } ?? []
    return try audit.recordingRefusal(of: "confirm", patches, by: actor) {
      try trials.confirm(name, by: actor)
    }
  }

  // MARK: Ending

  /// Takes one patch back.
  func revert(
    _ name: String, waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    let patch = AuditRecord.Patch(name: name)
    return try audit.recordingRefusal(of: "revert", [patch], by: actor) {
      try counted(
        engine.operation("reverting \(name)") {
          engine.lifecycle.closeDrained()
          let named = engine.sessions.all.filter { $0.name == name }
          if named.isEmpty, !kept.keeps(name) { throw notLoaded(name) }
          return end(named, alsoKept: [name], waitAtMost: duration, now, "revert", by: actor)
        })
    }
  }

  private func notLoaded(_ name: String) -> WaxwingError {
    let names = engine.sessions.all.map(\.name)
    let live = names.map { "`\($0)`" }.joined(separator: ", ")
    let near = NearestNames.question(for: name, in: names).map { "\($0) " } ?? ""
    return WaxwingError(
      .notFound, "no patch named `\(name)` is loaded",
      remedy: live.isEmpty ? "no patch is loaded at all" : "\(near)loaded are \(live)")
  }

  /// Ends all sessions and verifies every entry that was ever overridden.
  func restore(
    waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    try audit.recordingRefusal(of: "restore", [], by: actor) {
      try counted(
        engine.operation("restoring the program") {
          engine.lifecycle.closeDrained()
          let all = engine.sessions.all
          return end(all, alsoKept: nil, waitAtMost: duration, now, "restore", by: actor)
        })
    }
  }

  /// Ends one session of the program's own. A no-op if it has ended.
  /// - Parameter now: Whether objects of its classes that are alive answer as their superclasses do.
  func end(
    _ session: Session, waitAtMost duration: Duration, now: Bool = false
  ) throws -> Restoration {
    let patch = AuditRecord.Patch(name: session.name)
    return try audit.recordingRefusal(of: "revert", [patch], by: .program) {
      try counted(
        engine.operation("ending \(session.name)") {
          engine.lifecycle.closeDrained()
          let ending = engine.sessions.all.filter { $0.number == session.number }
          let names = Set(ending.filter { kept.isKept($0.hash) }.map(\.name))
          return end(ending, alsoKept: names, waitAtMost: duration, now, "revert", by: .program)
        })
    }
  }

  /// Ends first and writes down afterwards: the disk may be in a state that nothing can be written.
  /// - Parameter names: Of patches that are not kept any more; nil: none is.
  private func end(
    _ ending: [PatchSession], alsoKept names: Set<String>?, waitAtMost duration: Duration,
    _ now: Bool, _ event: String, by actor: AuditRecord.Actor
  ) -> Restoration {
    let idle = kept.idle(names)
    let removed = ending.filter { $0.state == .active }.map { AuditRecord.Patch($0) } + idle
    let before = engine.sessions.generation
    var failure: StoreError?
    var restoration = engine.lifecycle.end(ending, waitAtMost: duration, now: now) {
      failure = kept.unkeep(names)
    }
    if failure == nil { restoration.droppedPatches = idle.map(\.name) }
    restoration.storeFailure = failure.map { "\($0.message); \($0.remedy)" }
    audit.note(event, restoration, removed, before: before, by: actor)
    return restoration
  }

  private func counted(_ restoration: Restoration) -> Restoration {
    counters.count(.end, restoration.isComplete ? "done" : "partial")
    return restoration
  }
}
