// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingControl
import WaxwingOperations
internal import WaxwingOverrides
import WaxwingPatches
import WaxwingReflection
import WaxwingSystem

// The start of the program: which of the kept patches are started.
extension Engine {
  /// Starts the kept patches. Never throws: a program must start without them. In an operation.
  func boot() {
    guard !keeper.hasBooted else { return }
    keeper.hasBooted = true
    openStore()
    let stored = StoredFloors(self)
    floors = stored
    if policy.unsignedPatches == .refused { stored.reconcile() }
    guard let store = keeper.store, let build = try? buildName() else { return }
    report(store.trouble, store)
    if let reason = switchedOff {
      keeper.disabled = reason
      note(
        .warning, "boot.disabled", "no kept patch is started: \(reason)", verdict: "skipped",
        idlePatches(nil))
      return
    }
    start(store, build)
  }

  /// Why no kept patch is to be started; nil: they are.
  var switchedOff: String? {
    let reason = SystemEnvironment.current.disabled(
      program: ProgramName.current, name: instance.fileName)
    if let reason { return reason }
    return host.trouble.isEmpty ? nil : "\(host.path ?? "the configuration") has mistakes"
  }

  /// Opens the store if it is there.
  func openStore() {
    guard let base = host.stateFolder else { return }
    do throws(StoreError) {
      keeper.store =
        instance.isFurther
        ? try openFollowing(base)
        : try PatchStore.open(base, program: instance.fileName, creating: false)
    } catch {
      keeper.failure = error
      log.write(.warning, "store.error", error.message, [("remedy", error.remedy)])
    }
  }

  /// The store of an instance without a name, if there is anything to follow.
  private func openFollowing(_ base: String) throws(StoreError) -> PatchStore? {
    guard let first = try PatchStore.look(into: base, program: ProgramName.current),
      !first.state.isEmpty || !first.state.floors.isEmpty
    else { return nil }
    let own = try PatchStore.openFurther(base, program: ProgramName.current, creating: false)
    try own?.follow(first)
    return own
  }

  private func report(_ trouble: PatchStore.Trouble?, _ store: PatchStore) {
    guard let trouble else { return }
    log.write(.error, "store.error", trouble.message(store.folder.path))
  }

  private func start(_ store: PatchStore, _ build: String) {
    let judge = BootGuard(build: build, now: time(nil))
    var decision = judge.decide(store.state, store.evidence())
    for note in decision.notes {
      self.note(
        .warning, note.event, note.message, note.patches.map { AuditRecord.Patch($0, in: store) })
    }
    if decision.state != store.state {
      do throws(StoreError) { try store.save(decision.state) } catch {
        log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      }
    }
    keeper.isCrashLoop = decision.isCrashLoop
    for patch in decision.ofOtherBuilds {
      skip(patch, "inactive: it was applied to build \(patch.build)", .warning)
    }
    // Without a record nothing could stop a loop.
    guard beginRun(attempt: decision.attempt, build) else {
      for patch in decision.start { skip(patch, "the boot record cannot be written") }
      decision.start = []
      return
    }
    if !decision.start.isEmpty { startKept(decision.start, store) }
  }

  /// Leaves a patch out, and says so.
  private func skip(_ patch: KeptPatch, _ reason: String, _ level: LogEvent.Level = .error) {
    keeper.skipped.append(KeptPatches.Skipped(patch: patch, reason: reason))
    note(
      level, "boot.skip", "\(patch.name) is not started: \(reason)", verdict: "skipped",
      [AuditRecord.Patch(patch, in: keeper.store)], fields: [("sha", patch.hash.short)])
  }

  /// Writes this run's record, and lets breadcrumbs be written.
  @discardableResult
  func beginRun(attempt: Int, _ build: String) -> Bool {
    guard let store = keeper.store, keeper.disabled == nil else { return false }
    let record = BootRecord(
      run: .random(in: 1...(.max)), attempt: attempt, generation: store.state.generation,
      build: build, pid: Int(getpid()), startedAt: time(nil))
    do throws(StoreError) {
      try store.begin(record)
      keeper.record = record
    } catch {
      keeper.failure = error
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      return false
    }
    if let error = store.beginCrumbs(record.run) {
      log.write(.warning, "store.error", error.message, [("remedy", error.remedy)])
    }
    for session in sessions { nameCrumbs(session) }
    scheduleBlessing()
    return true
  }

  /// What the next start calls the patch, should it be a suspect.
  func nameCrumbs(_ session: PatchSession) {
    wax_process_breadcrumbs_name(session.hash.prefix, session.name)
  }

  /// All that can be started go live in one moment.
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
    do { try demandRecord(ofBoot: fresh) } catch {
      let reason = "\((error as? WaxwingError)?.message ?? "\(error)")"
      for session in fresh.reversed() { discard(session) }
      for patch in patches where fresh.contains(where: { $0.hash == patch.hash }) {
        skip(patch, reason)
      }
      return
    }
    goLive(fresh)
    log.write(
      .info, "boot.load", "kept patches are live",
      [("patches", fresh.count), ("generation", Int(store.state.generation))])
  }

  /// Why no further patch is begun.
  private func limit(reachedBy count: Int, since begin: Double) -> String? {
    let limits = policy.limits
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
    return try prepare(try admit(bundle, isKept: true))
  }
}

// MARK: - Staying up

extension Engine {
  /// After this time without an open breaker the run counts as one that stays up, and what is kept now as
  /// what it stays up with.
  func scheduleBlessing() {
    guard let store = keeper.store, let record = keeper.record, !keeper.isCrashLoop else { return }
    do throws(ThreadError) { try timers.start() } catch {
      log.write(
        .warning, "boot.unhealthy", "the crash guard cannot judge this run: \(error.message)")
      return
    }
    let kept = Set(store.state.active.map(\.hash))
    timers.run(after: policy.healthyAfter / .seconds(1)) { [weak self] in
      try? self?.operation { self?.bless(record.run, kept) }
    }
  }

  private func bless(_ run: UInt64, _ kept: Set<StoreHash>) {
    guard keeper.record?.run == run else { return }
    if let name = openBreaker {
      if !keeper.isUnhealthy {
        log.write(
          .warning, "boot.unhealthy", "\(name) is disabled: this run does not count as healthy yet")
      }
      keeper.isUnhealthy = true
      scheduleBlessing()
      return
    }
    keeper.isUnhealthy = false
    markHealthy(kept)
  }

  /// Writes down that the program is up with its kept patches. In an operation.
  /// - Parameter kept: Those that have been live for long enough; nil: all.
  func markHealthy(_ kept: Set<StoreHash>? = nil) {
    guard let store = keeper.store, let record = keeper.record, !keeper.isCrashLoop else { return }
    let live = Set(sessions.filter { $0.state == .active }.map(\.hash))
    var state = store.state
    state.bless(kept.map(live.intersection) ?? live)
    do throws(StoreError) {
      if state != store.state { try store.save(state) }
      guard !record.isHealthy else { return }
      try writeHealthy(record, store)
    } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
    }
  }

  private func writeHealthy(_ old: BootRecord, _ store: PatchStore) throws(StoreError) {
    var record = old
    record.isHealthy = true
    // What was kept since the start has been up as well.
    record.generation = store.state.generation
    try store.write(record)
    keeper.record = record
    note(
      .info, "boot.healthy", "the program stays up with its kept patches",
      sessions.filter { $0.state == .active && keeper.isKept($0.hash) }.map {
        AuditRecord.Patch($0)
      })
  }

  /// An override that was disabled because it failed too often; nil for none.
  private var openBreaker: String? {
    sessions.filter { $0.state == .active }.flatMap(\.overrides)
      .first { $0.switchedOff != nil }?.qualifiedName
  }
}
