// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches
import WaxwingReflection

// What is kept on disk. The document is written before patches go live, and after they have ended: a
// crash in between leaves what the operator wanted.
extension Engine {
  /// What builds are told apart by. A program without a build id goes by its file.
  func buildName() throws -> String {
    if let id = try runningProgram().buildID { return id }
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "unknown" }
    return "file:\(status.st_size):\(status.st_mtim.tv_sec)"
  }

  /// The store, made if it is not there.
  func openedStore() throws(WaxwingError) -> PatchStore {
    if let store = keeper.store { return store }
    if let failure = keeper.failure, failure.code == .locked { throw WaxwingError(failure) }
    guard let base = Surroundings.current.stateFolder else {
      throw WaxwingError(
        .unavailable,
        "there is no place to keep patches: neither HOME nor WAXWING_STATE_DIR is set",
        remedy: "set WAXWING_STATE_DIR in the program's environment")
    }
    do throws(StoreError) {
      guard
        let store = try PatchStore.open(base, program: ProgramName.current, creating: true)
      else { throw .missing(base) }
      keeper.store = store
      keeper.failure = nil
      return store
    } catch {
      throw WaxwingError(error)
    }
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
      guard state.active.count <= StoreSizes.patches else { throw .tooMany(store.folder.path) }
      if state != store.state { try store.save(state) }
    } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
    // From now on this run can be judged by the next.
    if keeper.record == nil { beginRun(attempt: 1, build) }
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
    guard let store = keeper.store else {
      // Another process's store has nothing of this one.
      return keeper.failure?.code == .locked ? nil : keeper.failure
    }
    var state = store.state
    state.active.removeAll { names?.contains($0.name) ?? true }
    if names == nil { state.crashLoop = nil }
    let isReadable = store.trouble == nil
    guard state != store.state || (names == nil && !isReadable) else { return nil }
    do throws(StoreError) {
      try store.save(state)
      keeper.skipped.removeAll { names?.contains($0.patch.name) ?? true }
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
    StoreError(.system, path: path, message: "\(path) went away", remedy: "try again")
  }

  fileprivate static func tooMany(_ path: String) -> StoreError {
    StoreError(
      .full, path: path, message: "\(StoreSizes.patches) patches are kept, and no more can be",
      remedy: "put patches together, or `waxwing revert` some")
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
