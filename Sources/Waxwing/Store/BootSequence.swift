// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingReflection

/// The start of the program: which of the kept patches are started. Only for the thread that is in an operation
/// of the engine.
final class BootSequence: Sendable {
  private let engine: Engine
  private let instance: CurrentInstance
  private let state: KeptState
  private let kept: KeptPatches
  private let health: RunHealth
  private let audit: AuditTrail

  init(
    _ engine: Engine, _ instance: CurrentInstance, _ state: KeptState, _ kept: KeptPatches,
    _ health: RunHealth, _ audit: AuditTrail
  ) {
    self.engine = engine
    self.instance = instance
    self.state = state
    self.kept = kept
    self.health = health
    self.audit = audit
  }

  /// Whether the start is over.
  var hasBooted: Bool { state.hasBooted }

  /// Starts the kept patches. Never throws: a program must start without them. In an operation.
  func boot() {
    guard !state.hasBooted else { return }
    state.hasBooted = true
    kept.open()
    let stored = StoredFloors(engine, instance, state, kept, audit)
    engine.admission.floors = stored
    if engine.policy.unsignedPatches == .refused { stored.reconcile() }
    guard let store = state.store, let build = try? kept.buildName() else { return }
    report(store.trouble, store)
    if let reason = switchedOff {
      state.disabled = reason
      audit.note(
        .warning, "boot.disabled", "no kept patch is started: \(reason)", verdict: "skipped",
        kept.idle(nil))
      return
    }
    start(store, build)
  }

  /// Why no kept patch is to be started; nil: they are.
  var switchedOff: String? {
    let reason = SystemEnvironment.current.disabled(
      program: ProgramName.current, name: instance.value.fileName)
    if let reason { return reason }
    return engine.host.trouble.isEmpty
      ? nil : "\(engine.host.path ?? "the configuration") has mistakes"
  }

  private func report(_ trouble: PatchStore.Trouble?, _ store: PatchStore) {
    guard let trouble else { return }
    engine.log.write(.error, "store.error", trouble.message(store.folder.path))
  }

  private func start(_ store: PatchStore, _ build: String) {
    let judge = BootGuard(build: build, now: time(nil))
    var decision = judge.decide(store.state, store.evidence())
    for note in decision.notes {
      audit.note(
        .warning, note.event, note.message,
        note.patches.map { AuditRecord.Patch($0, in: store) }
          + note.notKept.map { AuditRecord.Patch(name: $0) })
    }
    if decision.state != store.state {
      do throws(StoreError) { try store.save(decision.state) } catch {
        engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      }
    }
    state.isCrashLoop = decision.isCrashLoop
    for patch in decision.ofOtherBuilds {
      skip(patch, "inactive: it was applied to build \(patch.build)", .warning)
    }
    // Without a record nothing could stop a loop.
    guard health.beginRun(attempt: decision.attempt, build) else {
      for patch in decision.start { skip(patch, "the boot record cannot be written") }
      decision.start = []
      return
    }
    if !decision.start.isEmpty { startKept(decision.start, store) }
  }

  /// Leaves a patch out, and says so.
  private func skip(_ patch: KeptPatch, _ reason: String, _ level: LogEvent.Level = .error) {
    state.skipped.append(KeptState.Skipped(patch: patch, reason: reason))
    audit.note(
      level, "boot.skip", "\(patch.name) is not started: \(reason)", verdict: "skipped",
      [AuditRecord.Patch(patch, in: state.store)], fields: [("sha", patch.hash.short)])
  }

  /// Starts the kept patches. All that can be started go live at the same moment.
  private func startKept(_ patches: [KeptPatch], _ store: PatchStore) {
    var fresh: [PatchSession] = []
    let begin = wax_process_thread_milliseconds()
    for patch in patches {
      if let reason = limit(reachedBy: fresh.count, since: begin) {
        skip(patch, reason)
        continue
      }
      do {
        fresh.append(try prepareKept(patch, store))
      } catch {
        skip(patch, "\((error as? WaxwingError)?.message ?? "\(error)")")
      }
    }
    guard !fresh.isEmpty else { return }
    do { try demandRecord(of: fresh) } catch {
      let reason = "\((error as? WaxwingError)?.message ?? "\(error)")"
      engine.lifecycle.discard(fresh)
      for patch in patches where fresh.contains(where: { $0.hash == patch.hash }) {
        skip(patch, reason)
      }
      return
    }
    engine.lifecycle.goLive(fresh)
    engine.log.write(
      .info, "boot.load", "kept patches are live",
      [("patches", fresh.count), ("generation", Int(store.state.generation))])
  }

  /// Why no further patch is begun.
  private func limit(reachedBy count: Int, since begin: Double) -> String? {
    let limits = engine.policy.limits
    if limits.bootPatches > 0, count >= limits.bootPatches {
      return "\(count) patches are started, and `limits.boot-patches` allows no more"
    }
    let milliseconds = wax_process_thread_milliseconds() - begin
    if limits.bootMilliseconds > 0, milliseconds >= Double(limits.bootMilliseconds) {
      return
        "starting those before it took \(Int(milliseconds)) ms, and `limits.boot-milliseconds` "
        + "allows \(limits.bootMilliseconds)"
    }
    return nil
  }

  private func prepareKept(_ patch: KeptPatch, _ store: PatchStore) throws -> PatchSession {
    let bundle: PatchBundle
    do throws(StoreError) { bundle = try store.bundle(patch.hash) } catch {
      throw WaxwingError(error)
    }
    // At each start as at the first: a key may have been revoked since.
    return try engine.lifecycle.load(try engine.admission.admit(bundle, isKept: true))
  }

  /// The record of kept patches that are about to be started. They are on record since they were applied:
  /// only where each step has to be recorded are they left out for want of this one.
  private func demandRecord(of fresh: [PatchSession]) throws {
    let record = AuditRecord(
      "boot.load", "done", by: .program, patches: fresh.map { AuditRecord.Patch($0) },
      before: engine.sessions.generation, generation: engine.sessions.generation + 1)
    if engine.policy.audit == .required { try audit.demand(record) } else { audit.note(record) }
  }
}
