// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches
import WaxwingReflection

extension Engine {
  /// Begins to keep the audit log: where the configuration says, else in the folder for logs.
  func openAudit() {
    let program = ProgramName.current
    if let named = host.contents.audit {
      if let error = audit.open(named, isChosen: true) { report(error) }
      return
    }
    guard let place = LogFolder.place(of: program), place.isUsable() else { return audit.close() }
    let path = "\(place.folder)/\(program).audit"
    if let error = audit.open(path, isChosen: place.isChosen) { report(error) }
  }

  /// Adds a record if that is possible. What has happened already is not undone for it.
  func note(_ record: AuditRecord) {
    do throws(AuditError) { try audit.append(record) } catch { report(error) }
  }

  /// Adds the record of patches that are about to go live.
  /// - Throws: `WaxwingError` if it cannot be added and the policy wants it to be: nothing is applied
  ///   that is not on record.
  func demand(_ record: AuditRecord) throws {
    if policy.audit == .required, !audit.isKept {
      throw WaxwingError(
        .refused, "no patch is applied here without an audit log, and there is none",
        remedy: "set `audit` in the program's configuration, or WAXWING_LOG_DIR, to a place for it")
    }
    do throws(AuditError) { try audit.append(record) } catch {
      report(error)
      guard policy.audit != .attempted else { return }
      throw WaxwingError(
        .refused, "nothing is applied that is not on record: \(error.message)",
        remedy: "\(error.remedy); `waxwing restore` works without")
    }
  }

  /// The record of patches that are about to go live, and of those that end for it.
  func demandRecord(of application: Application, by actor: AuditRecord.Actor) throws {
    let fresh = application.applied.filter { !$0.isUnchanged }.map(\.session)
    guard !fresh.isEmpty else { return }
    try demand(
      AuditRecord(
        "apply", "done", by: actor, patches: fresh.map(AuditRecord.Patch.init),
        generation: generation + 1))
  }

  private func report(_ error: AuditError) {
    log.write(.error, "audit.error", error.message, [("remedy", error.remedy)])
  }

  /// Runs an operation, and records it if it is refused.
  func recordingRefusal<Result>(
    of event: String, _ patches: @autoclosure () -> [AuditRecord.Patch],
    by actor: AuditRecord.Actor, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch {
      let message = (error as? WaxwingError)?.message ?? "\(error)"
      let patches = patches()
      // The program itself hears of it by what is thrown.
      if actor != .program {
        log.write(
          .warning, "\(event).refused", message,
          [("patch", patches.map(\.name).joined(separator: ","))] + actor.fields)
      }
      counters.count(event == "apply" ? .apply : .end, ControlCounters.result(of: error))
      note(AuditRecord(event, "refused", by: actor, patches: patches, reason: message))
      throw error
    }
  }

  /// Records that patches have been taken back.
  func note(
    _ event: String, _ restoration: Restoration, by actor: AuditRecord.Actor
  ) {
    guard !restoration.endedPatches.isEmpty || !restoration.differences.isEmpty else { return }
    let isWhole = restoration.differences.isEmpty && restoration.laggards.isEmpty
    note(
      AuditRecord(
        event, isWhole ? "done" : "partial", by: actor,
        patches: restoration.endedPatches.map { AuditRecord.Patch(name: $0) },
        generation: generation,
        reason: isWhole
          ? nil
          : "\(restoration.differences.count) differences, \(restoration.laggards.count) calls inside"
      ))
  }
}

extension AuditRecord.Actor {
  init(_ peer: ControlPeer) {
    self = .client(pid: peer.pid, uid: peer.uid, user: AccountNames.name(ofUser: peer.uid))
  }

  /// What an event says of it.
  var fields: [(name: String, value: String)] {
    switch self {
    case .program: [("by", "program")]
    case .client(let pid, let uid, _): [("peer_uid", "\(uid)"), ("peer_pid", "\(pid)")]
    }
  }
}

extension AuditRecord.Patch {
  init(_ session: PatchSession) {
    self.init(
      name: session.name, version: session.manifest.version, sha256: session.source.sha256,
      signer: session.origin.signer, serial: session.manifest.serial)
  }

  /// A patch of which nobody knows more than its files.
  init(_ bundle: PatchBundle) {
    self.init(name: bundle.title, sha256: bundle.sha256)
  }

  init(_ source: PatchSource) { self.init(name: source.baseName, sha256: source.sha256) }
}
