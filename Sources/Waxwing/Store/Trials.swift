// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingDeclarations
import WaxwingOperations
import WaxwingSystem

/// Patches that end by themselves, unless an operator who can still reach the program confirms
/// them. Unchecked: only for the thread that is in an operation of the engine.
final class Trials: @unchecked Sendable {
  private let engine: Engine
  private let kept: KeptPatches
  private let audit: AuditTrail
  private let timers: Timers
  private var trials: [Trial] = []
  private var lastNumber = 0

  init(_ engine: Engine, _ kept: KeptPatches, _ audit: AuditTrail, _ timers: Timers) {
    self.engine = engine
    self.kept = kept
    self.audit = audit
    self.timers = timers
  }

  /// The trial that a session is part of.
  func trial(of session: Int) -> Trial? { trials.first { $0.sessions.contains(session) } }

  /// The patches of an apply that are on trial and, with it, are not any more.
  func accepted(by plan: ApplyPlan, _ terms: Terms) -> [PatchSession] {
    guard terms.keeps, terms.trialSeconds == nil else { return [] }
    return plan.patches.map(\.session).filter { trial(of: $0.number) != nil }
  }

  /// Prepares a trial before anything else: a trial that nothing would end must not begin.
  func prepare(_ terms: Terms) throws(WaxwingError) {
    guard terms.trialSeconds != nil else { return }
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  /// Settles which trials there are after an apply has succeeded, before its patches go live.
  func settle(_ plan: inout ApplyPlan, _ terms: Terms) {
    let (fresh, ending) = (plan.fresh, plan.ending)
    let replaced = Set(ending.map(\.number))
    let applied = plan.patches.map(\.session.number)
    let before = trials
    // A trial ends with its patches, and with their being kept.
    let settled = terms.keeps && terms.trialSeconds == nil ? replaced.union(applied) : replaced
    trials = before.compactMap { trial in
      let left = trial.sessions.filter { !settled.contains($0) }
      return left.isEmpty ? nil : trial.with(left)
    }
    guard let seconds = terms.trialSeconds else { return warn(&plan, terms) }
    let bounded = min(max(seconds.isFinite ? seconds : 0, 0.001), Terms.longestTrial)
    let freshNumbers = fresh.map(\.number)
    let onTrial = applied.filter { number in
      freshNumbers.contains(number) || before.contains { $0.sessions.contains(number) }
    }
    guard !onTrial.isEmpty else { return warn(&plan, terms) }
    begin(onTrial, previous: previous(ending, onTrial, before), bounded, terms.keeps)
  }

  /// The patches that come back when the new trial ends: not those that were on trial themselves,
  /// but those before them.
  private func previous(
    _ ending: [PatchSession], _ extended: [Int], _ trials: [Trial]
  ) -> [AdmittedPatch] {
    let ended = ending.filter { session in
      !trials.contains { $0.sessions.contains(session.number) }
    }.map(\.admitted)
    let numbers = Set(ending.map(\.number) + extended)
    let older = trials.filter { !numbers.isDisjoint(with: $0.sessions) }.flatMap(\.previous)
    return older + ended
  }

  private func begin(
    _ sessions: [Int], previous: [AdmittedPatch], _ seconds: Double, _ keeps: Bool
  ) {
    trials = trials.compactMap { trial in
      let left = trial.sessions.filter { !sessions.contains($0) }
      return left.isEmpty ? nil : trial.with(left)
    }
    lastNumber += 1
    let number = lastNumber
    trials.append(
      Trial(
        number: number, sessions: sessions, previous: previous,
        deadline: .now.advanced(by: .seconds(seconds)), keeps: keeps))
    timers.run(after: seconds) { [weak self] in self?.end(number) }
  }

  private func warn(_ plan: inout ApplyPlan, _ terms: Terms) {
    for index in plan.patches.indices {
      let session = plan.patches[index].session
      if terms.trialSeconds != nil {
        plan.patches[index].warnings.append("it was live before, so it is not on trial")
      } else if !terms.keeps, kept.keeps(session.name), !kept.isKept(session.hash) {
        plan.patches[index].warnings.append(
          "another version of it is kept, and comes back with a restart; --keep keeps this one")
      } else if trial(of: session.number) != nil {
        plan.patches[index].warnings.append("it is still on trial: `waxwing confirm`")
      }
    }
  }

  /// The time is up.
  private func end(_ number: Int) {
    do {
      try engine.operation("ending a trial") {
        engine.lifecycle.closeDrained()
        guard let index = trials.firstIndex(where: { $0.number == number }) else { return }
        let trial = trials.remove(at: index)
        let ending = engine.sessions.live.filter { trial.sessions.contains($0.number) }
        if !ending.isEmpty { end(ending, of: trial) }
      }
    } catch {
      engine.log.write(.error, "trial.failed", "a trial cannot be ended: \(error)")
    }
  }

  private func end(_ ending: [PatchSession], of trial: Trial) {
    let shutdowns = engine.lifecycle.shutdowns
    var fresh: [PatchSession] = []
    for patch in trial.previous {
      do {
        let session = try engine.lifecycle.load(patch)
        let isTaken = engine.sessions.live.contains { other in
          other.name == session.name && !ending.contains { $0 === other }
        }
        if isTaken { engine.lifecycle.discard([session]) } else { fresh.append(session) }
      } catch {
        engine.log.write(
          .error, "trial.failed", "the patch that was live before does not start: \(error)")
      }
    }
    let before = engine.sessions.generation
    engine.lifecycle.goLive(fresh, ending: ending, since: shutdowns)
    let names = ending.map(\.name).joined(separator: ", ")
    var record = AuditRecord(
      "trial.ended", "done", by: .program, patches: ending.map { AuditRecord.Patch($0) },
      before: before, generation: engine.sessions.generation, reason: "nobody confirmed it")
    record.back = fresh.map { AuditRecord.Patch($0) }
    audit.note(record)
    engine.log.write(
      .warning, "trial.ended", "\(names) was not confirmed and has ended",
      fresh.isEmpty ? [] : [("back", fresh.map(\.name).joined(separator: ", "))])
  }

  /// Ends the trial that a patch is part of, or all trials: the patches stay.
  func confirm(_ name: String?, by actor: AuditRecord.Actor) throws -> ConfirmReport {
    try engine.operation {
      engine.lifecycle.closeDrained()
      let confirmedTrials = trials.filter { trial in
        engine.sessions.live.contains {
          trial.sessions.contains($0.number) && (name ?? $0.name) == $0.name
        }
      }
      guard !confirmedTrials.isEmpty else { throw nothingToConfirm(name) }
      let numbers = Set(confirmedTrials.flatMap(\.sessions))
      let confirmed = engine.sessions.live.filter { numbers.contains($0.number) }
      let keeping = confirmedTrials.filter(\.keeps).flatMap(\.sessions)
      let floors = try engine.lifecycle.raiseFloors(of: confirmed)
      // Without a record nothing stays: the trial ends at its time.
      var record = AuditRecord(
        "confirm", "done", by: actor,
        patches: confirmed.map { AuditRecord.Patch($0, raising: floors) },
        generation: engine.sessions.generation)
      record.terms = keeping.isEmpty ? nil : "keep"
      try audit.demand(record)
      if !keeping.isEmpty {
        do {
          try kept.keep(confirmed.filter { keeping.contains($0.number) }, replacingAll: false)
        } catch {
          audit.noteUndone(record)
          throw error
        }
      }
      trials.removeAll { trial in confirmedTrials.contains { $0.number == trial.number } }
      let names = confirmed.map(\.name)
      engine.log.write(.info, "trial.confirmed", "\(names.joined(separator: ", ")) stays")
      return ConfirmReport(names: names, isKept: confirmed.allSatisfy { kept.isKept($0.hash) })
    }
  }

  private func nothingToConfirm(_ name: String?) -> WaxwingError {
    let names = engine.sessions.all.filter { trial(of: $0.number) != nil }.map(\.name)
    let onTrial = names.map { "`\($0)`" }
    let near = name.flatMap { NearestNames.question(for: $0, in: names) }.map { "\($0) " } ?? ""
    let what = name.map { "no patch named `\($0)` is on trial" } ?? "no patch is on trial"
    return WaxwingError(
      .notFound, what,
      remedy: onTrial.isEmpty
        ? "a trial may have ended: `waxwing list` shows what is live"
        : "\(near)on trial are \(onTrial.joined(separator: ", "))")
  }
}

extension Trial {
  /// A copy of the trial for other sessions.
  func with(_ sessions: [Int]) -> Trial {
    Trial(
      number: number, sessions: sessions, previous: previous, deadline: deadline, keeps: keeps)
  }
}
