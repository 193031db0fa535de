// SPDX-License-Identifier: MIT

import WaxwingControl
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

  /// Shows, or decides about, what was set aside.
  func boot(_ action: BootAction) throws -> BootStatus {
    try operation {
      let changes =
        switch action {
        case .show: [String]()
        case .retry: try retry()
        case .drop: try drop()
        }
      var status = currentBootStatus
      status.changes = changes
      return status
    }
  }

  /// They are kept again, and started at the next start.
  private func retry() throws -> [String] {
    guard let store = keeper.store else { return [] }
    var state = store.state
    var changes = state.quarantine.map { "\($0.patch.name) is started at the next start" }
    for entry in state.quarantine
    where !state.active.contains(where: { $0.name == entry.patch.name }) {
      state.active.append(entry.patch)
    }
    if state.crashLoop != nil { changes.append("the kept patches are started at the next start") }
    state.quarantine = []
    state.crashLoop = nil
    state.strikes = []
    try save(state, store)
    keeper.isCrashLoop = false
    return changes
  }

  /// They are forgotten.
  private func drop() throws -> [String] {
    guard let store = keeper.store else { return [] }
    var state = store.state
    var changes = state.quarantine.map { "\($0.patch.name) is forgotten" }
    let live = Set(sessions.filter { $0.state == .active }.map(\.hash))
    let idle = state.active.filter { !live.contains($0.hash) }
    changes += idle.map { "\($0.name) is forgotten" }
    state.active.removeAll { patch in idle.contains(patch) }
    state.quarantine = []
    state.crashLoop = nil
    state.strikes = []
    try save(state, store)
    keeper.isCrashLoop = false
    keeper.skipped = []
    return changes
  }

  private func save(_ state: StoreState, _ store: PatchStore) throws {
    guard state != store.state else { return }
    do throws(StoreError) { try store.save(state) } catch {
      log.write(.error, "store.error", error.message, [("remedy", error.remedy)])
      throw WaxwingError(error)
    }
  }

  private var currentBootStatus: BootStatus {
    var status = BootStatus()
    status.disabled = keeper.store?.state.isEmpty == false ? keeper.disabled : nil
    if let failure = keeper.failure { status.troubles.append(failure.description) }
    guard let store = keeper.store else { return status }
    status.folder = store.folder.path
    status.generation = store.state.generation
    status.attempt = keeper.record?.attempt ?? 0
    status.isHealthy = keeper.record?.isHealthy ?? false
    status.kept = store.state.active.map { patch in
      BootStatus.Patch(name: patch.name, hash: patch.hash.hex, reason: reason(patch))
    }
    status.quarantined = store.state.quarantine.map { entry in
      BootStatus.Patch(
        name: entry.patch.name, hash: entry.patch.hash.hex, reason: entry.reason,
        at: Timestamp(secondsSince1970: entry.at))
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
    return "not live now: it is started at the next start"
  }
}

extension BootStatus {
  /// nil where there is nothing to say.
  var ifNotPlain: BootStatus? { isPlain ? nil : self }
}
