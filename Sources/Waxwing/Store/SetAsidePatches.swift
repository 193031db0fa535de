// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// Shows the store to operators, and retries or drops the patches that were set aside.
final class SetAsidePatches: Sendable {
  private let engine: Engine
  private let state: KeptState
  private let kept: KeptPatches
  private let audit: AuditTrail

  init(_ engine: Engine, _ state: KeptState, _ kept: KeptPatches, _ audit: AuditTrail) {
    self.engine = engine
    self.state = state
    self.kept = kept
    self.audit = audit
  }

  func status() throws -> BootStatus {
    try engine.operation { currentStatus }
  }

  /// Shows, or decides about, what was set aside. A refusal is recorded.
  func act(_ action: BootAction, by actor: AuditRecord.Actor) throws -> BootStatus {
    guard action != .show else { return try status() }
    return try audit.recordingRefusal(of: "boot.\(action.rawValue)", [], by: actor) {
      try decide(action, by: actor)
    }
  }

  /// Decides about what was set aside.
  private func decide(_ action: BootAction, by actor: AuditRecord.Actor) throws -> BootStatus {
    try engine.operation {
      let changes =
        switch action {
        case .show: [String]()
        case .retry: try retry(actor)
        case .drop: try drop(actor)
        }
      var status = currentStatus
      status.changes = changes
      return status
    }
  }

  /// Keeps the patches again, so that the next start loads them.
  private func retry(_ actor: AuditRecord.Actor) throws -> [String] {
    guard let store = state.store else { return [] }
    var document = store.state
    document.takeBack()
    guard document != store.state else { return [] }
    let aside = store.state.quarantine.map(\.patch)
    var changes = aside.map { "\($0.name) is started at the next start" }
    let isLoop = store.state.crashLoop != nil
    if isLoop { changes.append("the kept patches are started at the next start") }
    // What was stopped is to go live again: not without a record.
    let patches = aside + (isLoop ? store.state.active : [])
    let record = AuditRecord(
      "boot.retry", "done", by: actor, patches: patches.map { AuditRecord.Patch($0, in: store) },
      generation: engine.sessions.generation)
    try audit.demand(record)
    do { try save(document, store) } catch {
      audit.noteUndone(record)
      throw error
    }
    state.isCrashLoop = false
    return changes
  }

  /// Forgets the patches.
  private func drop(_ actor: AuditRecord.Actor) throws -> [String] {
    guard let store = state.store else { return [] }
    var document = store.state
    let aside = document.quarantine.map(\.patch)
    let live = Set(engine.sessions.live.map(\.hash))
    let idle = document.active.filter { !live.contains($0.hash) }
    document.active.removeAll { patch in idle.contains(patch) }
    let names = Set(document.active.map(\.name))
    document.good.removeAll { !names.contains($0.name) }
    (document.quarantine, document.crashLoop, document.strikes) = ([], nil, [])
    let removed = (aside + idle).map { AuditRecord.Patch($0, in: store) }
    try save(document, store)
    state.isCrashLoop = false
    state.skipped = []
    if !removed.isEmpty {
      audit.note(
        AuditRecord(
          "boot.drop", "done", by: actor, patches: removed, generation: engine.sessions.generation))
    }
    return (aside + idle).map { "\($0.name) is forgotten" }
  }

  private func save(_ document: StoreState, _ store: PatchStore) throws {
    guard document != store.state else { return }
    do throws(StoreError) { try store.save(document) } catch {
      engine.log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
  }

  private var currentStatus: BootStatus {
    kept.checkPlace()
    var status = BootStatus()
    status.disabled = state.store?.state.isEmpty == false ? state.disabled : nil
    if let failure = state.failure { status.troubles.append(failure.description) }
    if let trouble = state.floorTrouble, engine.policy.unsignedPatches == .refused {
      status.troubles.append(trouble)
    }
    guard let store = state.store else { return status }
    status.folder = store.folder.path
    status.generation = store.state.generation
    status.attempt = state.record?.attempt ?? 0
    status.isHealthy = state.record?.isHealthy ?? false
    status.kept = store.state.active.map { patch in
      BootStatus.Patch(patch, in: store, reason: reason(patch))
    }
    status.quarantined = store.state.quarantine.map { entry in
      BootStatus.Patch(
        entry.patch, in: store, reason: entry.reason, at: Timestamp(secondsSince1970: entry.at))
    }
    status.crashLoopSince = store.state.crashLoop.flatMap { loop in
      state.isCrashLoop ? Timestamp(secondsSince1970: loop.at) : nil
    }
    if let trouble = store.trouble { status.troubles.append(trouble.message(store.folder.path)) }
    return status
  }

  /// Why a kept patch is not live; empty: it is.
  private func reason(_ patch: KeptPatch) -> String {
    if engine.sessions.live.contains(where: { $0.hash == patch.hash }) { return "" }
    if let skipped = state.skipped.first(where: { $0.patch.hash == patch.hash }) {
      return skipped.reason
    }
    if state.isCrashLoop { return "set aside: the program did not stay up" }
    if state.disabled != nil { return "not started: kept patches are switched off" }
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
