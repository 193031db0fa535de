// SPDX-License-Identifier: MIT

import WaxwingCore

/// Refuses in a dry run what ``RecordedApply`` refuses, as far as that can be said without writing
/// anything. Only for the thread that checks.
final class DryRunParticipant: ApplyParticipant {
  private let kept: KeptPatches
  private let audit: AuditTrail
  private let terms: Terms

  init(_ kept: KeptPatches, _ audit: AuditTrail, _ terms: Terms) {
    self.kept = kept
    self.audit = audit
    self.terms = terms
  }

  func begin() throws {
    try terms.demandSound()
    if terms.keeps { try kept.demandOwnStore() }
  }

  func prepare(_ plan: ApplyPlan) throws { try audit.demandLog() }

  func commit(_ plan: inout ApplyPlan) {}

  func undo(_ plan: ApplyPlan) {}
}
