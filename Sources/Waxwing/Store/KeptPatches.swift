// SPDX-License-Identifier: MIT

import Glibc
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingReflection

/// The patches that are kept on disk. The document is written before patches go live and after they
/// have ended, so that a crash in between leaves what the operator wanted. Only for the thread that
/// is in an operation of the engine.
final class KeptPatches: Sendable {
  private let engine: Engine
  private let instance: CurrentInstance
  private let state: KeptState
  private let health: RunHealth

  init(_ engine: Engine, _ instance: CurrentInstance, _ state: KeptState, _ health: RunHealth) {
    self.engine = engine
    self.instance = instance
    self.state = state
    self.health = health
  }

  /// Opens the store if it is there.
  func open() {
    guard let base = engine.host.stateFolder else { return }
    do throws(StoreError) {
      state.store =
        instance.value.isFurther
        ? try openFollowing(base)
        : try PatchStore.open(base, program: instance.value.fileName, creating: false)
    } catch {
      state.failure = error
      engine.log.write(.warning, "store.error", error.message, [("remedy", error.remedy)])
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

  /// The name that distinguishes builds. A program without a build id is named by its file.
  func buildName() throws -> String {
    try engine.program.current().buildID ?? ProgramFile.name
  }

  /// The store, made if it is not there.
  func openedStore() throws(WaxwingError) -> PatchStore {
    checkPlace()
    if let store = state.store { return store }
    if let failure = state.failure, failure.code == .locked { throw WaxwingError(failure) }
    guard let base = engine.host.stateFolder else {
      throw WaxwingError(
        .unavailable,
        "there is no place to keep patches: neither HOME nor WAXWING_STATE_DIR is set",
        remedy: "set `store` in the program's configuration, or WAXWING_STATE_DIR")
    }
    do throws(StoreError) {
      let opened =
        instance.value.isFurther
        ? try PatchStore.openFurther(base, program: ProgramName.current, creating: true)
        : try PatchStore.open(base, program: instance.value.fileName, creating: true)
      guard let store = opened else { throw .missing(base) }
      state.store = store
      state.failure = nil
      return store
    } catch {
      throw WaxwingError(error)
    }
  }

  /// Lets go of a store whose folder was removed, or replaced by another, while the program runs.
  func checkPlace() {
    guard let store = state.store, !store.isInPlace else { return }
    engine.log.write(
      .error, "store.error",
      "\(store.folder.path) was removed or replaced while the program runs: what was kept there is "
        + "not kept any more", [("remedy", "apply again with --keep what should stay")])
    PatchStore.forgetRun()
    (state.store, state.record, state.failure) = (nil, nil, nil)
    (state.skipped, state.isCrashLoop) = ([], false)
    open()
  }

  /// Writes down that the patches are kept, with the options of the apply, and that the ending ones
  /// are not.
  /// - Throws: If that is not possible; nothing has changed then.
  func keep(_ fresh: [PatchSession], replacingAll: Bool) throws {
    let store = try openedStore()
    if !replacingAll { try checkNotSetAside(store) }
    let build = try buildName()
    let most = engine.policy.limits.bootPatches
    do throws(StoreError) {
      var document = store.state
      if replacingAll {
        document.active = []
        document.crashLoop = nil
      }
      document.build = build
      document.lastSeen = document.trustedTime(time(nil))
      for session in fresh {
        let hash = try store.put(session.bundle)
        document.keep(
          KeptPatch(hash: hash, name: session.name, build: build, keptAt: document.lastSeen))
      }
      guard most == 0 || document.active.count <= most else {
        throw .tooMany(most, store.folder.path)
      }
      if document != store.state { try store.save(document) }
    } catch {
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
    if replacingAll { state.isCrashLoop = false }
    // From now on this run can be judged by the next.
    if state.record == nil { health.beginRun(attempt: 1, build) } else { health.scheduleBlessing() }
  }

  /// - Throws: If what this instance starts with is another's.
  func demandOwnStore() throws(WaxwingError) {
    guard instance.value.isFurther else { return }
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
    guard instance.value.isFurther, let base = engine.host.stateFolder else { return nil }
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

  /// The kept patches that are not live, as records show them.
  /// - Parameter names: The names of these patches; nil for any.
  func idle(_ names: Set<String>?) -> [AuditRecord.Patch] {
    guard let store = state.store else { return [] }
    let live = Set(engine.sessions.live.map(\.hash))
    return store.state.active
      .filter { !live.contains($0.hash) && names?.contains($0.name) ?? true }
      .map { AuditRecord.Patch($0, in: store) }
  }

  private func checkNotSetAside(_ store: PatchStore) throws(WaxwingError) {
    guard state.isCrashLoop, store.state.crashLoop != nil else { return }
    throw WaxwingError(
      .conflict,
      "the patches kept so far are set aside, because the program did not stay up with them",
      remedy: "`waxwing boot drop` forgets them, `waxwing boot retry` starts them at the next start"
    )
  }

  /// Writes down that patches of these names are not kept; nil: of any name.
  /// - Returns: Why they may be back after a restart; nil: they are not.
  func unkeep(_ names: Set<String>?) -> StoreError? {
    checkPlace()
    guard let store = state.store else {
      // Another process's store has nothing of this one.
      return state.failure?.code == .locked ? nil : state.failure
    }
    return unkeep(names, in: store) ?? keptByFirst(names)
  }

  private func unkeep(_ names: Set<String>?, in store: PatchStore) -> StoreError? {
    var document = store.state
    document.forget(names)
    let isReadable = store.trouble == nil
    guard document != store.state || (names == nil && !isReadable) else { return nil }
    do throws(StoreError) {
      try store.save(document)
      state.skipped.removeAll { names?.contains($0.patch.name) ?? true }
      if names == nil { state.isCrashLoop = false }
      return nil
    } catch {
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      return error
    }
  }

  /// Whether a patch is kept, by the hash of its file in the store.
  func isKept(_ hash: ContentHash) -> Bool { state.isKept(hash) }

  /// How many patches are kept; nil: there is no store.
  var count: Int? { state.store?.state.active.count }

  /// Whether there is a store.
  var hasStore: Bool { state.store != nil }

  /// Whether a patch of the name is kept though none is live.
  func keeps(_ name: String) -> Bool {
    state.store?.state.active.contains { $0.name == name } ?? false
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
