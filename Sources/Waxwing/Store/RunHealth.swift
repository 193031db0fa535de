// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingBridge
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingSystem

/// Whether this run of the program stays up with its kept patches: its record, which the next start judges it by.
/// Only for the thread that is in an operation of the engine.
final class RunHealth: Sendable {
  private let engine: Engine
  private let state: KeptState
  private let audit: AuditTrail
  private let timers: Timers

  init(_ engine: Engine, _ state: KeptState, _ audit: AuditTrail, _ timers: Timers) {
    self.engine = engine
    self.state = state
    self.audit = audit
    self.timers = timers
  }

  /// Writes this run's record, and lets breadcrumbs be written.
  @discardableResult
  func beginRun(attempt: Int, _ build: String) -> Bool {
    guard let store = state.store, state.disabled == nil else { return false }
    let record = BootRecord(
      run: .random(in: 1...(.max)), attempt: attempt, generation: store.state.generation,
      build: build, pid: Int(getpid()), startedAt: time(nil))
    do throws(StoreError) {
      try store.begin(record)
      state.record = record
    } catch {
      state.failure = error
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      return false
    }
    if let error = store.beginCrumbs(record.run) {
      engine.log.write(.warning, "store.error", error.message, [("remedy", error.remedy)])
    }
    for session in engine.sessions.all { nameCrumbs(session) }
    for session in engine.sessions.live {
      wax_process_breadcrumbs_set_live(session.hash.prefix, true)
    }
    scheduleBlessing()
    return true
  }

  /// Notes the name of the patch for the next start, in case it is a suspect.
  private func nameCrumbs(_ session: PatchSession) {
    unsafe wax_process_breadcrumbs_name(session.hash.prefix, session.name)
  }

  /// Schedules the moment after which the run counts as stable if no breaker is open. The patches
  /// that are kept at that moment then count as stable, too.
  func scheduleBlessing() {
    guard let store = state.store, let record = state.record, !state.isCrashLoop else { return }
    do throws(ThreadError) { try timers.start() } catch {
      engine.log.write(
        .warning, "boot.unhealthy", "the crash guard cannot judge this run: \(error.message)")
      return
    }
    let kept = Set(store.state.active.map(\.hash))
    timers.run(after: engine.policy.healthyAfter / .seconds(1)) { [weak self] in
      try? self?.engine.operation { self?.bless(record.run, kept) }
    }
  }

  private func bless(_ run: UInt64, _ kept: Set<ContentHash>) {
    guard state.record?.run == run else { return }
    if let name = openBreaker {
      if !state.isUnhealthy {
        engine.log.write(
          .warning, "boot.unhealthy", "\(name) is disabled: this run does not count as healthy yet")
      }
      state.isUnhealthy = true
      scheduleBlessing()
      return
    }
    state.isUnhealthy = false
    markHealthy(kept)
  }

  /// Writes down that the program is up with its kept patches.
  /// - Parameter kept: Those that have been live for long enough; nil: all.
  func markHealthy(_ kept: Set<ContentHash>? = nil) {
    guard let store = state.store, let record = state.record, !state.isCrashLoop else { return }
    let live = Set(engine.sessions.live.map(\.hash))
    var document = store.state
    document.bless(kept.map(live.intersection) ?? live)
    do throws(StoreError) {
      if document != store.state { try store.save(document) }
      guard !record.isHealthy else { return }
      try writeHealthy(record, store)
    } catch {
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
    }
  }

  private func writeHealthy(_ old: BootRecord, _ store: PatchStore) throws(StoreError) {
    var record = old
    record.isHealthy = true
    // What was kept since the start has been up as well.
    record.generation = store.state.generation
    try store.write(record)
    state.record = record
    audit.note(
      .info, "boot.healthy", "the program stays up with its kept patches",
      engine.sessions.live.filter { state.isKept($0.hash) }.map {
        AuditRecord.Patch($0)
      })
  }

  /// An override that was disabled because it failed too often; nil for none.
  private var openBreaker: String? {
    engine.sessions.live.flatMap(\.overrides)
      .first { $0.switchedOff != nil }?.qualifiedName
  }
}
