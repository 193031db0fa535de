// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// The audit log of this process: it knows which records are required, and which are written if
/// possible.
final class AuditTrail: Sendable {
  private let engine: Engine
  private let instance: CurrentInstance
  private let counters: ControlCounters
  private let audit = AuditLog()

  init(_ engine: Engine, _ instance: CurrentInstance, _ counters: ControlCounters) {
    self.engine = engine
    self.instance = instance
    self.counters = counters
  }

  /// Whether there is one.
  var isKept: Bool { audit.isKept }

  /// The file of the audit log and its last record.
  var summary: AuditState { audit.summary }

  /// Opens the audit log: in the place that the configuration names, or else in the folder for
  /// logs.
  func open() {
    let program = instance.value.fileName
    if let named = engine.host.contents.audit.map(instance.value.auditLog) {
      if let error = audit.open(named, isChosen: true) { report(error) }
      return
    }
    guard let place = LogFolder.place(of: program, store: engine.host.contents.store),
      place.isUsable()
    else { return audit.close() }
    let path = "\(place.folder)/\(program).audit"
    if let error = audit.open(path, isChosen: place.isChosen) { report(error) }
  }

  /// Adds a record if that is possible. An operation that has happened already is not undone if it
  /// fails.
  /// - Returns: Whether it was possible.
  @discardableResult
  func note(_ record: AuditRecord) -> Bool {
    do throws(AuditError) { try audit.append(record) } catch {
      report(error)
      return false
    }
    return true
  }

  /// Adds the record of patches that are about to go live.
  /// - Throws: `WaxwingError` if it cannot be added and the policy wants it to be: nothing is applied
  ///   that is not on record.
  func demand(_ record: AuditRecord) throws {
    try demandLog()
    do throws(AuditError) { try audit.append(record) } catch {
      report(error)
      guard engine.policy.audit != .attempted else { return }
      throw WaxwingError(
        .refused, "nothing is applied without an audit record: \(error.message)",
        remedy: "\(error.remedy); `waxwing restore` works without")
    }
  }

  /// - Throws: `WaxwingError` if the policy wants an audit log, and there is none.
  func demandLog() throws {
    guard engine.policy.audit == .required, !audit.isKept else { return }
    throw WaxwingError(
      .refused, "this host requires an audit log to apply patches, and there is none",
      remedy: "set `audit` in the program's configuration, or WAXWING_LOG_DIR")
  }

  /// Says that what the record before says has not come about.
  func noteUndone(_ record: AuditRecord?) {
    guard var record else { return }
    record.verdict = "undone"
    (record.ended, record.generation, record.generationBefore) = ([], generation, nil)
    for index in record.patches.indices { record.patches[index].floor = nil }
    note(record)
  }

  /// Why signed patches may have been applied here before, by the audit log; nil: none was.
  func auditedFloors() -> String? {
    audit.summary.path.flatMap(AuditHistory.signedPatches)
  }

  private var generation: Int { engine.sessions.generation }

  private func report(_ error: AuditError) {
    engine.log.write(.error, "audit.error", error.message, [("remedy", error.remedy)])
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
        engine.log.write(
          .warning, "\(event).refused", message,
          [("patch", patches.map(\.name).joined(separator: ","))] + actor.fields)
      }
      let kind: ControlCounters.Kind? =
        switch event {
        case "apply": .apply
        case "revert", "restore": .end
        default: nil
        }
      if let kind { counters.count(kind, ControlCounters.result(of: error)) }
      note(
        AuditRecord(
          event, "refused", by: actor, patches: patches, generation: generation, reason: message))
      throw error
    }
  }

  /// Records that patches have been taken back.
  /// - Parameter removed: Those that were live, and those that were kept only.
  func note(
    _ event: String, _ restoration: Restoration, _ removed: [AuditRecord.Patch], before: Int,
    by actor: AuditRecord.Actor
  ) {
    let isNothing = restoration.differences.isEmpty && restoration.storeFailure == nil
    guard !removed.isEmpty || !isNothing else { return }
    var reasons: [String] = []
    if !restoration.isComplete {
      reasons.append(
        "\(restoration.differences.count) differences, \(restoration.laggards.count) calls inside")
    }
    if let failure = restoration.storeFailure { reasons.append("store not updated: \(failure)") }
    note(
      AuditRecord(
        event, reasons.isEmpty ? "done" : "partial", by: actor, patches: removed,
        before: before, generation: generation,
        reason: reasons.isEmpty ? nil : reasons.joined(separator: "; ")))
  }

  /// Logs and records what the engine did by itself with kept patches.
  func note(
    _ level: LogEvent.Level, _ event: String, _ message: String, verdict: String = "done",
    _ patches: [AuditRecord.Patch], fields: [(String, any LogValue)] = []
  ) {
    engine.log.write(level, event, message, fields)
    note(
      AuditRecord(
        event, verdict, by: .program, patches: patches, generation: generation, reason: message))
  }
}

extension AuditRecord.Actor {
  init(_ peer: ControlPeer) {
    self = .client(pid: peer.pid, uid: peer.uid, user: AccountNames.name(ofUser: peer.uid))
  }

  /// The fields of the patch in an event.
  var fields: [(name: String, value: any LogValue)] {
    switch self {
    case .program: [("by", "program")]
    case .client(let pid, let uid, _): [("peer_uid", Int(uid)), ("peer_pid", Int(pid))]
    }
  }
}

extension AuditRecord.Patch {
  /// - Parameter floors: The floors that are raised with it.
  init(_ session: PatchSession, raising floors: [SerialFloor] = []) {
    self.init(
      name: session.name, version: session.manifest.version, sha256: session.source.sha256,
      signer: session.origin.signer, serial: session.manifest.serial)
    guard case .signed(let signer) = session.origin else { return }
    key = signer.key
    floor = floors.first { $0.key == signer.key && $0.serial == session.manifest.serial }
  }

  /// A kept patch that is not live.
  init(_ patch: KeptPatch, in store: PatchStore?) {
    self.init(name: patch.name, sha256: (try? store?.bundle(patch.hash))?.sha256)
    stored = patch.hash.hex
  }

  /// Describes a patch of which only the files are known.
  init(_ bundle: PatchBundle) {
    self.init(name: bundle.title, sha256: bundle.sha256)
  }

  init(_ source: PatchSource) { self.init(name: source.baseName, sha256: source.sha256) }
}
