// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingSystem

// Patches that end by themselves, unless somebody who can still reach the program confirms them.
extension Engine {
  /// Before anything of a trial: a trial that nothing would end is none.
  func prepareTrial(_ terms: Terms) throws(WaxwingError) {
    guard terms.trialSeconds != nil else { return }
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  /// After an apply has succeeded, and before its patches go live: which trials there are from now on.
  func settleTrials(
    _ application: inout Application, _ fresh: [PatchSession], _ ending: [PatchSession],
    _ terms: Terms
  ) {
    let replaced = Set(ending.map(\.number))
    let applied = application.applied.map(\.session.number)
    let before = keeper.trials
    // A trial ends with its patches, and with their being kept.
    let settled = terms.keeps && terms.trialSeconds == nil ? replaced.union(applied) : replaced
    keeper.trials = before.compactMap { trial in
      let left = trial.sessions.filter { !settled.contains($0) }
      return left.isEmpty ? nil : trial.with(left)
    }
    guard let seconds = terms.trialSeconds else { return warn(&application, terms) }
    let bounded = min(max(seconds.isFinite ? seconds : 0, 0.001), Terms.longestTrial)
    let freshNumbers = fresh.map(\.number)
    let onTrial = applied.filter { number in
      freshNumbers.contains(number) || before.contains { $0.sessions.contains(number) }
    }
    guard !onTrial.isEmpty else { return warn(&application, terms) }
    begin(onTrial, previous: previous(ending, onTrial, before), bounded, terms.keeps)
  }

  /// What comes back when the new trial ends: not what was on trial itself, but what was before that.
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
    keeper.trials = keeper.trials.compactMap { trial in
      let left = trial.sessions.filter { !sessions.contains($0) }
      return left.isEmpty ? nil : trial.with(left)
    }
    keeper.lastTrial += 1
    let number = keeper.lastTrial
    keeper.trials.append(
      Trial(
        number: number, sessions: sessions, previous: previous,
        deadline: .now.advanced(by: .seconds(seconds)), keeps: keeps))
    timers.run(after: seconds) { [weak self] in self?.endTrial(number) }
  }

  private func warn(_ application: inout Application, _ terms: Terms) {
    for index in application.applied.indices {
      let session = application.applied[index].session
      if terms.trialSeconds != nil {
        application.applied[index].warnings.append("it was live before, so it is not on trial")
      } else if !terms.keeps, keeps(session.name), !keeper.isKept(session.hash) {
        application.applied[index].warnings.append(
          "another version of it is kept, and comes back with a restart; --keep keeps this one")
      } else if keeper.trial(of: session.number) != nil {
        application.applied[index].warnings.append("it is still on trial: `waxwing confirm`")
      }
    }
  }

  /// The time is up.
  private func endTrial(_ number: Int) {
    do {
      try operation("ending a trial") {
        finishDraining()
        guard let index = keeper.trials.firstIndex(where: { $0.number == number }) else { return }
        let trial = keeper.trials.remove(at: index)
        let ending = sessions.filter { trial.sessions.contains($0.number) && $0.state == .active }
        if !ending.isEmpty { end(ending, of: trial) }
      }
    } catch {
      log.write(.error, "trial.failed", "a trial cannot be ended: \(error)")
    }
  }

  private func end(_ ending: [PatchSession], of trial: Trial) {
    let shutdowns = registry.shutdowns
    var fresh: [PatchSession] = []
    for patch in trial.previous {
      do {
        let session = try prepare(patch)
        let isTaken = sessions.contains { other in
          other.state == .active && other.name == session.name
            && !ending.contains { $0 === other }
        }
        if isTaken { discard(session) } else { fresh.append(session) }
      } catch {
        log.write(.error, "trial.failed", "the patch that was live before does not start: \(error)")
      }
    }
    let before = generation
    goLive(fresh, ending: ending, since: shutdowns)
    let names = ending.map(\.name).joined(separator: ", ")
    var record = AuditRecord(
      "trial.ended", "done", by: .program, patches: ending.map { AuditRecord.Patch($0) },
      before: before, generation: generation, reason: "nobody confirmed it")
    record.back = fresh.map { AuditRecord.Patch($0) }
    note(record)
    log.write(
      .warning, "trial.ended", "\(names) was not confirmed and has ended",
      fresh.isEmpty ? [] : [("back", fresh.map(\.name).joined(separator: ", "))])
  }

  /// Ends the trial that a patch is part of, or all trials: the patches stay.
  func confirm(_ name: String?, by actor: AuditRecord.Actor) throws -> ConfirmReport {
    try operation {
      finishDraining()
      let trials = keeper.trials.filter { trial in
        sessions.contains {
          trial.sessions.contains($0.number) && $0.state == .active && (name ?? $0.name) == $0.name
        }
      }
      guard !trials.isEmpty else { throw nothingToConfirm(name) }
      let numbers = Set(trials.flatMap(\.sessions))
      let confirmed = sessions.filter { numbers.contains($0.number) && $0.state == .active }
      let kept = trials.filter(\.keeps).flatMap(\.sessions)
      // Without a record nothing stays: the trial ends at its time.
      var record = AuditRecord(
        "confirm", "done", by: actor, patches: confirmed.map { AuditRecord.Patch($0) },
        generation: generation)
      record.terms = kept.isEmpty ? nil : "keep"
      try demand(record)
      if !kept.isEmpty {
        do {
          try keep(confirmed.filter { kept.contains($0.number) }, replacingAll: false)
        } catch {
          noteUndone(record)
          throw error
        }
      }
      keeper.trials.removeAll { trial in trials.contains { $0.number == trial.number } }
      let names = confirmed.map(\.name)
      log.write(.info, "trial.confirmed", "\(names.joined(separator: ", ")) stays")
      return ConfirmReport(names: names, isKept: confirmed.allSatisfy { keeper.isKept($0.hash) })
    }
  }

  private func nothingToConfirm(_ name: String?) -> WaxwingError {
    let onTrial = sessions.filter { keeper.trial(of: $0.number) != nil }.map { "`\($0.name)`" }
    let what = name.map { "no patch named `\($0)` is on trial" } ?? "no patch is on trial"
    return WaxwingError(
      .notFound, what,
      remedy: onTrial.isEmpty
        ? "a trial may have ended: `waxwing list` shows what is live"
        : "on trial are \(onTrial.joined(separator: ", "))")
  }
}

extension Trial {
  /// The same for fewer sessions.
  func with(_ sessions: [Int]) -> Trial {
    Trial(
      number: number, sessions: sessions, previous: previous, deadline: deadline, keeps: keeps)
  }
}
