// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingPatches

// What operators see of the store, and what they do about patches that were set aside.
extension Engine {
  struct Keeping {
    let isKept: Bool?
    let trialSecondsLeft: Double?
  }

  /// By the name of the live patch.
  func keepings() throws -> [String: Keeping] {
    try operation {
      var keepings: [String: Keeping] = [:]
      for session in sessions where session.state == .active {
        keepings[session.name] = Keeping(
          isKept: keeper.store == nil ? nil : keeper.isKept(session.hash),
          trialSecondsLeft: keeper.trial(of: session.number)?.secondsLeft)
      }
      return keepings
    }
  }

  func bootStatus() throws -> BootStatus {
    try operation { currentBootStatus }
  }

  /// Decides about what was set aside.
  func boot(_ action: BootAction, by actor: AuditRecord.Actor) throws -> BootStatus {
    try operation {
      let changes =
        switch action {
        case .show: [String]()
        case .retry: try retry(actor)
        case .drop: try drop(actor)
        }
      var status = currentBootStatus
      status.changes = changes
      return status
    }
  }

  /// They are kept again, and started at the next start.
  private func retry(_ actor: AuditRecord.Actor) throws -> [String] {
    guard let store = keeper.store else { return [] }
    var state = store.state
    state.takeBack()
    guard state != store.state else { return [] }
    let aside = store.state.quarantine.map(\.patch)
    var changes = aside.map { "\($0.name) is started at the next start" }
    let isLoop = store.state.crashLoop != nil
    if isLoop { changes.append("the kept patches are started at the next start") }
    // What was stopped is to go live again: not without a record.
    let patches = aside + (isLoop ? store.state.active : [])
    let record = AuditRecord(
      "boot.retry", "done", by: actor, patches: patches.map { AuditRecord.Patch($0, in: store) },
      generation: generation)
    try demand(record)
    do { try save(state, store) } catch {
      noteUndone(record)
      throw error
    }
    keeper.isCrashLoop = false
    return changes
  }

  /// They are forgotten.
  private func drop(_ actor: AuditRecord.Actor) throws -> [String] {
    guard let store = keeper.store else { return [] }
    var state = store.state
    let aside = state.quarantine.map(\.patch)
    let live = Set(sessions.filter { $0.state == .active }.map(\.hash))
    let idle = state.active.filter { !live.contains($0.hash) }
    state.active.removeAll { patch in idle.contains(patch) }
    let names = Set(state.active.map(\.name))
    state.good.removeAll { !names.contains($0.name) }
    (state.quarantine, state.crashLoop, state.strikes) = ([], nil, [])
    let removed = (aside + idle).map { AuditRecord.Patch($0, in: store) }
    try save(state, store)
    keeper.isCrashLoop = false
    keeper.skipped = []
    if !removed.isEmpty {
      note(
        AuditRecord("boot.drop", "done", by: actor, patches: removed, generation: generation))
    }
    return (aside + idle).map { "\($0.name) is forgotten" }
  }

  private func save(_ state: StoreState, _ store: PatchStore) throws {
    guard state != store.state else { return }
    do throws(StoreError) { try store.save(state) } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
  }

  private var currentBootStatus: BootStatus {
    checkStorePlace()
    var status = BootStatus()
    status.disabled = keeper.store?.state.isEmpty == false ? keeper.disabled : nil
    if let failure = keeper.failure { status.troubles.append(failure.description) }
    if let trouble = keeper.floorTrouble, policy.unsignedPatches == .refused {
      status.troubles.append(trouble)
    }
    guard let store = keeper.store else { return status }
    status.folder = store.folder.path
    status.generation = store.state.generation
    status.attempt = keeper.record?.attempt ?? 0
    status.isHealthy = keeper.record?.isHealthy ?? false
    status.kept = store.state.active.map { patch in
      BootStatus.Patch(patch, in: store, reason: reason(patch))
    }
    status.quarantined = store.state.quarantine.map { entry in
      BootStatus.Patch(
        entry.patch, in: store, reason: entry.reason, at: Timestamp(secondsSince1970: entry.at))
    }
    status.crashLoopSince = store.state.crashLoop.flatMap { loop in
      keeper.isCrashLoop ? Timestamp(secondsSince1970: loop.at) : nil
    }
    if let trouble = store.trouble { status.troubles.append(trouble.message(store.folder.path)) }
    return status
  }

  /// Why a kept patch is not live; empty: it is.
  private func reason(_ patch: KeptPatch) -> String {
    if sessions.contains(where: { $0.state == .active && $0.hash == patch.hash }) { return "" }
    if let skipped = keeper.skipped.first(where: { $0.patch.hash == patch.hash }) {
      return skipped.reason
    }
    if keeper.isCrashLoop { return "set aside: the program did not stay up" }
    if keeper.disabled != nil { return "not started: kept patches are switched off" }
    return "not live; it is started at the next start"
  }
}

extension BootStatus {
  /// nil where there is nothing to say.
  var ifNotPlain: BootStatus? { isPlain ? nil : self }
}

extension BootStatus.Patch {
  fileprivate init(
    _ patch: KeptPatch, in store: PatchStore, reason: String, at: Timestamp? = nil
  ) {
    self.init(name: patch.name, hash: patch.hash.hex, reason: reason, at: at)
    guard let bundle = try? store.bundle(patch.hash) else { return }
    sha256 = bundle.sha256
    version = bundle.version
  }
}
