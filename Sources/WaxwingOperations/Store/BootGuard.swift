// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Decides at a start which kept patches are started, from what the last run left.
package struct BootGuard: Sendable {
  /// The number of deaths in a patch, within ``window``, that end it.
  static let strikes = 2
  /// The time in seconds within which deaths count.
  static let window = 600
  /// The number of starts that did not stay up after which no kept patch is started.
  static let attempts = 3

  /// The evidence that the last run left.
  package struct Evidence: Sendable {
    /// The record of the last run; nil if there is none, or it cannot be read.
    package var record: BootRecord?
    /// Whether there is a record that is damaged.
    var recordIsDamaged = false
    /// Whether the last run ended in an orderly way.
    package var isClean = false
    var breadcrumbs: BreadcrumbReport?

    package init(
      record: BootRecord? = nil, recordIsDamaged: Bool = false, isClean: Bool = false,
      breadcrumbs: BreadcrumbReport? = nil
    ) {
      self.record = record
      self.recordIsDamaged = recordIsDamaged
      self.isClean = isClean
      self.breadcrumbs = breadcrumbs
    }
  }

  /// The decision about kept patches at a start.
  package struct Decision: Sendable {
    /// The patches to start, in order.
    package var start: [KeptPatch] = []
    /// The kept patches of other builds, which are not started.
    package var ofOtherBuilds: [KeptPatch] = []
    /// The number of this attempt, for the boot record.
    package var attempt = 1
    /// The document from now on; the same if nothing was learned.
    package var state: StoreState
    /// The notes for the logs.
    package var notes: [Note] = []
    /// Whether the last run died, and the patches are not started because of it.
    package var isCrashLoop = false

    mutating func note(
      _ event: String, _ message: String, _ patches: [KeptPatch] = [], notKept: [String] = []
    ) {
      notes.append(Note(event: event, message: message, patches: patches, notKept: notKept))
    }
  }

  /// A note about something that was decided or found.
  package struct Note: Sendable {
    /// The name of the event, which does not change.
    package let event: String
    package let message: String
    /// The patches that the note is about.
    package let patches: [KeptPatch]
    /// The names of others, which were live in the last run and not kept.
    package let notKept: [String]
  }

  let build: String
  let now: Int

  package init(build: String, now: Int) {
    self.build = build
    self.now = now
  }

  package func decide(_ state: StoreState, _ evidence: Evidence) -> Decision {
    var decision = Decision(state: state)
    let died = !evidence.isClean && (evidence.record != nil || evidence.recordIsDamaged)
    if died {
      strike(evidence, &decision)
      countAttempt(evidence, state, &decision)
    }
    if let loop = decision.state.crashLoop, loop.build == build {
      decision.isCrashLoop = true
      return decision
    }
    decision.start = decision.state.active.filter { $0.build == build }
    decision.ofOtherBuilds = decision.state.active.filter { $0.build != build }
    return decision
  }

  /// Counts a strike for each patch whose breadcrumbs are there, because it may have ended the run.
  private func strike(_ evidence: Evidence, _ decision: inout Decision) {
    guard let breadcrumbs = evidence.breadcrumbs, breadcrumbs.run == evidence.record?.run else {
      return
    }
    let time = decision.state.trustedTime(now)
    for suspect in breadcrumbs.suspects {
      guard let patch = decision.state.active.first(where: { $0.hash.prefix == suspect.prefix })
      else {
        let name = suspect.name.isEmpty ? "a patch" : suspect.name
        decision.note(
          "boot.suspect", "the last run died in \(name), which was not kept",
          notKept: suspect.name.isEmpty ? [] : [suspect.name])
        continue
      }
      decision.state.strikes.append(Strike(hash: patch.hash, name: patch.name, at: time))
      let count = decision.state.strikes.count {
        $0.hash == patch.hash && abs(time - $0.at) <= Self.window
      }
      decision.note(
        "boot.strike", "the last run died in \(patch.name), strike \(count) of \(Self.strikes)",
        [patch])
      if count >= Self.strikes { quarantine(patch, time, count, &decision) }
    }
    decision.state.strikes = decision.state.strikes.suffix(StoreSizes.history)
    noteOthers(breadcrumbs, &decision)
  }

  /// Notes the patches that were live, are not started again, and in which no thread was.
  private func noteOthers(_ breadcrumbs: BreadcrumbReport, _ decision: inout Decision) {
    let kept = Set(
      (decision.state.active + decision.state.quarantine.map(\.patch)).map(\.hash.prefix))
    for patch in breadcrumbs.live where patch.threads == 0 && !kept.contains(patch.prefix) {
      // Without a slot a thread may have been in any.
      let place = breadcrumbs.overflow > 0 ? "perhaps in one of its calls" : "outside its calls"
      decision.note(
        "boot.live", "the last run died while \(patch.name) was live, \(place); it was not kept",
        notKept: [patch.name])
    }
  }

  private func quarantine(
    _ patch: KeptPatch, _ time: Int, _ count: Int, _ decision: inout Decision
  ) {
    let reason = "the program died in it \(count) times within \(Self.window / 60) minutes"
    let fallback = decision.state.fallback(for: patch)
    decision.state.active = decision.state.active.compactMap {
      $0.hash == patch.hash ? fallback : $0
    }
    decision.state.good.removeAll { $0.hash == patch.hash }
    decision.state.strikes.removeAll { $0.hash == patch.hash }
    decision.state.quarantine.append(QuarantinedPatch(patch: patch, at: time, reason: reason))
    decision.state.quarantine = decision.state.quarantine.suffix(StoreSizes.history)
    decision.note("boot.quarantine", "\(patch.name) is no longer started: \(reason)", [patch])
    guard let fallback else { return }
    decision.note(
      "boot.fallback",
      "\(fallback.name): the version before it (\(fallback.hash.short)) is started in its place, with "
        + "which the program has stayed up", [fallback])
  }

  private func countAttempt(
    _ evidence: Evidence, _ before: StoreState, _ decision: inout Decision
  ) {
    // What is left after a quarantine has not been tried.
    guard decision.state.active == before.active, !before.active.isEmpty else { return }
    if let record = evidence.record {
      guard record.build == build.prefix(80), record.generation == before.generation,
        !record.isHealthy
      else { return }
      decision.attempt = record.attempt + 1
    } else {
      decision.attempt = 2  // it says nothing: one start at least was before this one
    }
    guard decision.attempt > Self.attempts, decision.state.crashLoop?.build != build else { return }
    decision.state.crashLoop = CrashLoop(
      build: build, generation: before.generation, at: before.trustedTime(now))
    decision.note(
      "boot.baseline",
      "the program died \(Self.attempts) times soon after its start: no kept patch is started",
      before.active)
  }
}
