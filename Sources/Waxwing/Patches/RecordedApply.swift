// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// Records, keeps and tries the patches of one apply, beside letting them go live. Only for the
/// thread that applies.
final class RecordedApply: ApplyParticipant {
  private let engine: Engine
  private let kept: KeptPatches
  private let trials: Trials
  private let audit: AuditTrail
  private let terms: Terms
  private let actor: AuditRecord.Actor
  /// Says that the patches are applied, as soon as that is written.
  private var record: AuditRecord?
  private var isPrepared = false

  init(
    _ engine: Engine, _ kept: KeptPatches, _ trials: Trials, _ audit: AuditTrail, _ terms: Terms,
    by actor: AuditRecord.Actor
  ) {
    self.engine = engine
    self.kept = kept
    self.trials = trials
    self.audit = audit
    self.terms = terms
    self.actor = actor
  }

  func begin() throws {
    try terms.demandSound()
    if terms.keeps { try kept.demandOwnStore() }
    try trials.prepare(terms)
  }

  /// Whether the serial numbers count at once. A trial may return to the patches before it, so its
  /// numbers count when it is confirmed.
  var raisesFloors: Bool { terms.trialSeconds == nil }

  func prepare(_ plan: ApplyPlan) throws {
    let accepted = try engine.lifecycle.raiseFloors(of: trials.accepted(by: plan, terms))
    record = try demandRecord(of: plan, raising: plan.floors + accepted)
    try keep(plan)
    isPrepared = true
  }

  func commit(_ plan: inout ApplyPlan) { trials.settle(&plan, terms) }

  func undo(_ plan: ApplyPlan) {
    if isPrepared, terms.keeps { _ = kept.unkeep(Set(plan.fresh.map(\.name))) }
    audit.noteUndone(record)
  }

  /// The record of patches that are about to go live, of those that end for it, and of those that are
  /// kept from now on though they were live before.
  /// - Returns: The record; nil: nothing changes.
  private func demandRecord(
    of plan: ApplyPlan, raising floors: [SerialFloor]
  ) throws -> AuditRecord? {
    let isExtended = plan.patches.contains { trials.trial(of: $0.session.number) != nil }
    let changesTerms = terms.trialSeconds != nil ? isExtended : changesWhatIsKept(plan)
    guard !plan.fresh.isEmpty || !plan.ending.isEmpty || changesTerms else { return nil }
    let isOnlyTerms = plan.fresh.isEmpty && plan.ending.isEmpty
    let generation = engine.sessions.generation
    var record = AuditRecord(
      "apply", "done", by: actor,
      patches: plan.patches.map(\.session).map { AuditRecord.Patch($0, raising: floors) },
      before: generation, generation: generation + (isOnlyTerms ? 0 : 1))
    record.ended = plan.ending.map { AuditRecord.Patch($0) }
    record.terms = terms.text
    let rewritten = plan.fresh.map(\.rewrittenFunctions).reduce(0, +)
    if rewritten > 0 { record.reason = "rewrites the code of \(rewritten) functions" }
    try audit.demand(record)
    return record
  }

  /// Keeps the applied patches, if the terms say so. Patches on trial are kept when they are
  /// confirmed.
  private func keep(_ plan: ApplyPlan) throws {
    guard terms.keeps, terms.trialSeconds == nil else { return }
    try kept.keep(plan.patches.map(\.session), replacingAll: plan.replacement == .everything)
  }

  /// Whether an apply changes the kept patches.
  private func changesWhatIsKept(_ plan: ApplyPlan) -> Bool {
    guard terms.keeps, terms.trialSeconds == nil else { return false }
    let applied = plan.patches.map(\.session.hash)
    guard applied.allSatisfy(kept.isKept) else { return true }
    return plan.replacement == .everything && kept.count != applied.count
  }
}
