// SPDX-License-Identifier: MIT

import Glibc
import WaxwingOperations
import WaxwingReflection

// What is kept on disk. The document is written before patches go live, and after they have ended: a
// crash in between leaves what the operator wanted.
extension Engine {
  /// What builds are told apart by. A program without a build id goes by its file.
  func buildName() throws -> String {
    try runningProgram().buildID ?? ProgramFile.name
  }

  /// The store, made if it is not there.
  func openedStore() throws(WaxwingError) -> PatchStore {
    checkStorePlace()
    if let store = keeper.store { return store }
    if let failure = keeper.failure, failure.code == .locked { throw WaxwingError(failure) }
    guard let base = host.stateFolder else {
      throw WaxwingError(
        .unavailable,
        "there is no place to keep patches: neither HOME nor WAXWING_STATE_DIR is set",
        remedy: "set `store` in the program's configuration, or WAXWING_STATE_DIR")
    }
    do throws(StoreError) {
      let opened =
        instance.isFurther
        ? try PatchStore.openFurther(base, program: ProgramName.current, creating: true)
        : try PatchStore.open(base, program: instance.fileName, creating: true)
      guard let store = opened else { throw .missing(base) }
      keeper.store = store
      keeper.failure = nil
      return store
    } catch {
      throw WaxwingError(error)
    }
  }

  /// Lets go of a store whose folder was removed, or replaced by another, while the program runs.
  func checkStorePlace() {
    guard let store = keeper.store, !store.isInPlace else { return }
    log.write(
      .error, "store.error",
      "\(store.folder.path) was removed or replaced while the program runs: what was kept there is "
        + "not kept any more", [("remedy", "apply again with --keep what should stay")])
    PatchStore.forgetRun()
    (keeper.store, keeper.record, keeper.failure) = (nil, nil, nil)
    (keeper.skipped, keeper.isCrashLoop) = ([], false)
    openStore()
  }

  /// Keeps what is applied, if the terms say so. What is on trial is kept when it is confirmed.
  func keep(
    _ application: Application, _ replacement: Replacement, _ terms: Terms
  ) throws {
    guard terms.keeps, terms.trialSeconds == nil else { return }
    try keep(application.applied.map(\.session), replacingAll: replacement == .everything)
  }

  /// Writes down that the patches are kept: what they are applied with, and none of what ends.
  /// - Throws: If they cannot be; nothing has changed then.
  func keep(_ fresh: [PatchSession], replacingAll: Bool) throws {
    let store = try openedStore()
    if !replacingAll { try checkNotSetAside(store) }
    let build = try buildName()
    let most = policy.limits.bootPatches
    do throws(StoreError) {
      var state = store.state
      if replacingAll {
        state.active = []
        state.crashLoop = nil
      }
      state.build = build
      state.lastSeen = state.trustedTime(time(nil))
      for session in fresh {
        let hash = try store.put(session.bundle)
        state.keep(
          KeptPatch(hash: hash, name: session.name, build: build, keptAt: state.lastSeen))
      }
      guard most == 0 || state.active.count <= most else {
        throw .tooMany(most, store.folder.path)
      }
      if state != store.state { try store.save(state) }
    } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
    if replacingAll { keeper.isCrashLoop = false }
    // From now on this run can be judged by the next.
    if keeper.record == nil { beginRun(attempt: 1, build) } else { scheduleBlessing() }
  }

  /// - Throws: If what this instance starts with is another's.
  func demandOwnStore() throws(WaxwingError) {
    guard instance.isFurther else { return }
    throw WaxwingError(
      .conflict,
      "this instance of \(ProgramName.current) has no name, and starts with what the first one keeps",
      remedy:
        "keep the patch at the first one and apply it here without --keep, or start this one with "
        + "WAXWING_INSTANCE=NAME")
  }

  /// Why an instance without a name may have patches again that it does not keep any more: the first one
  /// keeps them.
  private func keptByFirst(_ names: Set<String>?) -> StoreError? {
    guard instance.isFurther, let base = host.stateFolder else { return nil }
    let program = ProgramName.current
    guard let first = (try? PatchStore.look(into: base, program: program)) ?? nil else {
      return nil
    }
    let kept = first.state.active.map(\.name).filter { names?.contains($0) ?? true }
    guard !kept.isEmpty else { return nil }
    return StoreError(
      .locked, path: first.folder.path,
      message:
        "the first instance of \(program) keeps \(kept.joined(separator: ", ")) for all that "
        + "have no name",
      remedy: "take them back there as well")
  }

  /// Whether an apply changes what is kept.
  func changesWhatIsKept(
    _ application: Application, _ replacement: Replacement, _ terms: Terms
  ) -> Bool {
    guard terms.keeps, terms.trialSeconds == nil else { return false }
    let applied = application.applied.map(\.session.hash)
    guard applied.allSatisfy(keeper.isKept) else { return true }
    return replacement == .everything && keeper.store?.state.active.count != applied.count
  }

  /// Kept patches that are not live, as records have them.
  /// - Parameter names: Theirs; nil: any.
  func idlePatches(_ names: Set<String>?) -> [AuditRecord.Patch] {
    guard let store = keeper.store else { return [] }
    let live = Set(sessions.filter { $0.state == .active }.map(\.hash))
    return store.state.active
      .filter { !live.contains($0.hash) && names?.contains($0.name) ?? true }
      .map { AuditRecord.Patch($0, in: store) }
  }

  private func checkNotSetAside(_ store: PatchStore) throws(WaxwingError) {
    guard keeper.isCrashLoop, store.state.crashLoop != nil else { return }
    throw WaxwingError(
      .conflict,
      "the patches kept so far are set aside, because the program did not stay up with them",
      remedy: "`waxwing boot drop` forgets them, `waxwing boot retry` starts them at the next start"
    )
  }

  /// Writes down that patches of these names are not kept; nil: of any name.
  /// - Returns: Why they may be back after a restart; nil: they are not.
  func unkeep(_ names: Set<String>?) -> StoreError? {
    checkStorePlace()
    guard let store = keeper.store else {
      // Another process's store has nothing of this one.
      return keeper.failure?.code == .locked ? nil : keeper.failure
    }
    return unkeep(names, in: store) ?? keptByFirst(names)
  }

  private func unkeep(_ names: Set<String>?, in store: PatchStore) -> StoreError? {
    var state = store.state
    state.forget(names)
    let isReadable = store.trouble == nil
    guard state != store.state || (names == nil && !isReadable) else { return nil }
    do throws(StoreError) {
      try store.save(state)
      keeper.skipped.removeAll { names?.contains($0.patch.name) ?? true }
      if names == nil { keeper.isCrashLoop = false }
      return nil
    } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      return error
    }
  }

  /// Whether a patch of the name is kept though none is live.
  func keeps(_ name: String) -> Bool {
    keeper.store?.state.active.contains { $0.name == name } ?? false
  }
}

extension StoreError {
  fileprivate static func missing(_ path: String) -> StoreError {
    StoreError(.system, path: path, message: "\(path) has disappeared", remedy: "try again")
  }

  fileprivate static func tooMany(_ most: Int, _ path: String) -> StoreError {
    StoreError(
      .full, path: path,
      message: "more than \(most) patches would be kept, and no more are started",
      remedy: "merge patches, `waxwing revert` some, or raise `limits.boot-patches`")
  }
}

extension WaxwingError {
  init(_ error: StoreError) {
    let isFull = error.code == .full
    self.init(
      .unavailable, isFull ? "store full: \(error.message)" : error.message, details: [],
      remedy: error.remedy)
  }
}
