// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Glibc
import WaxwingBridge
import WaxwingControl
import WaxwingPatches
import WaxwingReflection

// The start of the program: which of the kept patches are started.
extension Engine {
  /// Starts the kept patches. Never throws: a program must start without them. In an operation.
  func boot() {
    guard !keeper.hasBooted else { return }
    keeper.hasBooted = true
    openStore()
    floors = StoredFloors(self)
    guard let store = keeper.store, let build = try? buildName() else { return }
    report(store.trouble, store)
    if let reason = Surroundings.current.disabled(program: ProgramName.current) {
      keeper.disabled = reason
      log.write(.warning, "boot.disabled", "no kept patch is started: \(reason)")
      return
    }
    start(store, build)
  }

  private func openStore() {
    guard let base = Surroundings.current.stateFolder else { return }
    do throws(StoreError) {
      keeper.store = try PatchStore.open(base, program: ProgramName.current, creating: false)
    } catch {
      keeper.failure = error
      log.write(.warning, "store.error", error.message, [("remedy", error.remedy)])
    }
  }

  private func report(_ trouble: PatchStore.Trouble?, _ store: PatchStore) {
    guard let trouble else { return }
    log.write(.error, "store.error", trouble.message(store.folder.path))
  }

  private func start(_ store: PatchStore, _ build: String) {
    let judge = BootGuard(build: build, now: time(nil))
    var decision = judge.decide(store.state, store.evidence())
    for note in decision.notes { log.write(.warning, note.event, note.message) }
    if decision.state != store.state {
      do throws(StoreError) { try store.save(decision.state) } catch {
        log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      }
    }
    keeper.isCrashLoop = decision.isCrashLoop
    keeper.skipped = decision.ofOtherBuilds.map {
      Keeper.Skipped(patch: $0, reason: "inactive: it was applied to build \($0.build)")
    }
    for patch in decision.ofOtherBuilds {
      log.write(.warning, "boot.skip", "\(patch.name) was applied to build \(patch.build)")
    }
    // Without a record nothing could stop a loop.
    guard beginRun(attempt: decision.attempt, build) else {
      let reason = "the boot record cannot be written"
      keeper.skipped += decision.start.map { Keeper.Skipped(patch: $0, reason: reason) }
      decision.start = []
      return
    }
    if !decision.start.isEmpty { startKept(decision.start, store) }
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
    waxwing_crumbs_name(session.hash.prefix, session.name)
  }

  /// All that can be started go live in one moment.
  private func startKept(_ patches: [KeptPatch], _ store: PatchStore) {
    var fresh: [PatchSession] = []
    for patch in patches {
      do {
        fresh.append(try prepareKept(patch, store))
      } catch {
        let reason = "\((error as? WaxwingError)?.message ?? "\(error)")"
        keeper.skipped.append(Keeper.Skipped(patch: patch, reason: reason))
        log.write(
          .error, "boot.skip", "\(patch.name) is not started: \(reason)",
          [("sha", patch.hash.short)])
      }
    }
    guard !fresh.isEmpty else { return }
    goLive(fresh)
    log.write(
      .info, "boot.load", "kept patches are live",
      [("patches", "\(fresh.count)"), ("generation", "\(store.state.generation)")])
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
  /// After this time without an open breaker the run counts as one that stays up.
  private func scheduleBlessing() {
    guard let record = keeper.record, !keeper.isCrashLoop else { return }
    do throws(ControlError) { try timers.start() } catch {
      log.write(.warning, "boot.unhealthy", "the run cannot be judged: \(error.message)")
      return
    }
    timers.run(after: policy.healthyAfter / .seconds(1)) { [weak self] in
      try? self?.operation { self?.bless(record.run) }
    }
  }

  private func bless(_ run: UInt64) {
    guard keeper.record?.run == run else { return }
    if let name = openBreaker {
      log.write(.warning, "boot.unhealthy", "\(name) is disabled: the run is not judged yet")
      scheduleBlessing()
      return
    }
    markHealthy()
  }

  /// Writes down that the program is up. In an operation.
  func markHealthy() {
    guard var record = keeper.record, !record.isHealthy, !keeper.isCrashLoop,
      let store = keeper.store
    else { return }
    record.isHealthy = true
    // What was kept since the start has been up as well.
    record.generation = store.state.generation
    do throws(StoreError) {
      try store.write(record)
      keeper.record = record
      log.write(.info, "boot.healthy", "the program stays up with its kept patches")
    } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
    }
  }

  /// An override that was disabled because it failed too often; nil for none.
  private var openBreaker: String? {
    sessions.filter { $0.state == .active }.flatMap(\.overrides)
      .first { $0.switchedOff != nil }?.qualifiedName
  }
}
