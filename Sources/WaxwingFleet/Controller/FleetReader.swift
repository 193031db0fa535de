// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches

/// Reads what a controller or a console needs. Documents that never change are read once.
package final class FleetReader {
  private let backend: any FleetBackend
  private let keys: FleetKeys
  private let verifier: DocumentVerifier
  private var rollouts: [String: Rollout] = [:]
  private var finishedRollouts: [String: FleetPlan.Finished] = [:]
  private var lastRecord:
    (rollout: String, record: FleetView.Stored<StageRecord>, revisions: [Int: Int])?
  /// The descriptions of nodes with their revisions; most of them do not change between two reads.
  private var infos: [String: FleetView.Stored<NodeInfo>] = [:]
  private var reports: [String: FleetView.Stored<NodeReport>] = [:]
  private var sets: [String: FleetSet] = [:]
  private var signers: [String: String] = [:]

  /// A reader of one fleet.
  package init(backend: any FleetBackend, keys: FleetKeys, verifier: DocumentVerifier) {
    self.backend = backend
    self.keys = keys
    self.verifier = verifier
  }

  /// Reads the documents as they are now. They are read one by one, because decisions are written
  /// by compare-and-swap.
  /// - Parameter withNodes: Also those of nodes if no rollout goes on.
  package func view(withNodes: Bool = false) throws(FleetError) -> FleetView {
    var view = FleetView()
    view.state = try stored(.state, "the rollout's state", &view, instead: nil)
    let unreadable = Halt(
      why: "its document cannot be read", by: "", at: Timestamp(secondsSince1970: 0))
    view.halt = try stored(.halt, "the halt", &view, instead: unreadable)?.document
    if let state = view.state?.document {
      try readRollout(state, into: &view)
    }
    if withNodes || view.state.map({ !$0.document.phase.isFinal }) ?? false {
      try readNodes(into: &view)
    }
    return view
  }

  private func readRollout(_ state: RolloutState, into view: inout FleetView) throws(FleetError) {
    do throws(FleetError) {
      let rollout = try document(state.rollout)
      view.rollout = rollout
      view.finished = rollout.base.map { ids in
        ids.map(finished)
      }
      view.program = try set(rollout.set).program
    } catch  where error.code == .untrusted || error.code == .notFound {
      view.trouble = error.message
    }
    // What cannot be read is of no stage: it is written anew.
    view.record = try stored(
      .stage(state.rollout), "the record of the stage", &view, instead: Self.noRecord)
    try readParts(of: state.rollout, into: &view)
    view.progress = try stored(
      .progress, "the progress of the stage", &view,
      instead: StageProgress(rollout: "", stage: -1))
  }

  /// Parts are read again when the record's own document has changed, which is written last.
  private func readParts(of rollout: String, into view: inout FleetView) throws(FleetError) {
    guard let record = view.record, record.document.parts != nil || record.document == Self.noRecord
    else { return }
    if let last = lastRecord, last.rollout == rollout, last.record.revision == record.revision {
      (view.record, view.partRevisions) = (last.record, last.revisions)
      return
    }
    var parts: [Int: StageRecord.Part] = [:]
    for entry in try backend.range(keys.key(.stage(rollout)) + "/").entries {
      guard case .stagePart(_, let number) = keys.document(at: entry.key) else { continue }
      view.partRevisions[number] = entry.revision
      parts[number] = try? DocumentCoder.decode(
        StageRecord.Part.self, from: entry.value, named: "part")
    }
    guard record.document.parts != nil else { return }
    if let whole = record.document.joined(with: parts) {
      view.record = FleetView.Stored(document: whole, revision: record.revision)
      lastRecord = (
        rollout, FleetView.Stored(document: whole, revision: record.revision), view.partRevisions
      )
    } else {
      view.defects.append("a part of the record of the stage is missing or malformed")
      view.record = FleetView.Stored(document: Self.noRecord, revision: record.revision)
    }
  }

  /// Forgets the record, because another writer has changed it, or may have: everything is read
  /// again.
  func forget() { lastRecord = nil }

  /// A record of no stage.
  private static let noRecord = StageRecord(rollout: "", stage: -1, nodes: [:], references: [:])

  /// A finished rollout. Its selector is parsed once, when the rollout is read.
  private func finished(_ id: String) -> FleetPlan.Finished {
    if let known = finishedRollouts[id] { return known }
    let entry = FleetPlan.Finished(id: id, rollout: try? document(id))
    if finishedRollouts.count > 2 * Rollout.baseLimit { finishedRollouts = [:] }
    if entry.rollout != nil { finishedRollouts[id] = entry }
    return entry
  }

  private func document(_ id: String) throws(FleetError) -> Rollout {
    if let rollout = rollouts[id] { return rollout }
    if rollouts.count > 2 * Rollout.baseLimit { rollouts = [:] }
    let read = try verifier.rollout(
      stored: try bytes(.rollout(id), "rollout \(id.prefix(12))"), id: id)
    rollouts[id] = read
    return read
  }

  /// The set that was published under this name.
  package func set(_ id: String) throws(FleetError) -> FleetSet {
    if let set = sets[id] { return set }
    if sets.count > 2 * Rollout.baseLimit { sets = [:] }
    let read = try verifier.set(stored: try bytes(.set(id), "set \(id.prefix(12))"), id: id)
    sets[id] = read
    return read
  }

  /// The signer of a rollout, as its signature proves.
  package func signer(of rollout: String) throws(FleetError) -> String {
    if let signer = signers[rollout] { return signer }
    let name = "rollout \(rollout.prefix(12))"
    let document = try SignedDocument(stored: try bytes(.rollout(rollout), name), id: rollout)
    let signer = try verifier.signer(of: document, named: name).identity
    signers = [rollout: signer]
    return signer
  }

  private func bytes(_ key: FleetKey, _ name: String) throws(FleetError) -> [UInt8] {
    guard let entry = try backend.get(keys.key(key)) else {
      throw FleetError(
        .notFound, "there is no \(name) in \(backend.title)",
        remedy: "publish or start it again; the store has lost it")
    }
    return entry.value
  }

  /// - Parameter substitute: The document to use instead of one that cannot be read; nil to treat
  ///   it as missing.
  private func stored<Document: Decodable & Sendable>(
    _ key: FleetKey, _ name: String, _ view: inout FleetView, instead substitute: Document?
  ) throws(FleetError) -> FleetView.Stored<Document>? {
    guard let entry = try backend.get(keys.key(key)) else { return nil }
    do throws(FleetError) {
      let document = try DocumentCoder.decode(Document.self, from: entry.value, named: name)
      return FleetView.Stored(document: document, revision: entry.revision)
    } catch {
      view.defects.append("\(error.message) (\(keys.key(key)))")
      return substitute.map { FleetView.Stored(document: $0, revision: entry.revision) }
    }
  }

  /// A node's documents are its own: a malformed one makes that node silent, and no other.
  private func readNodes(into view: inout FleetView) throws(FleetError) {
    var infos: [String: FleetView.Stored<NodeInfo>] = [:]
    var reports: [String: FleetView.Stored<NodeReport>] = [:]
    for entry in try backend.range(keys.prefix(of: "nodes")).entries {
      switch keys.document(at: entry.key) {
      case .info(let node): infos[node] = Self.read(entry, self.infos[node])
      case .report(let node): reports[node] = Self.read(entry, self.reports[node])
      default: break
      }
    }
    (self.infos, self.reports) = (infos, reports)
    for (node, info) in infos where info.document.node == node { view.infos[node] = info.document }
    for (node, report) in reports where report.document.node == node {
      view.reports[node] = report.document
    }
  }

  private static func read<Document: Decodable & Sendable>(
    _ entry: FleetEntry, _ known: FleetView.Stored<Document>?
  ) -> FleetView.Stored<Document>? {
    if let known, known.revision == entry.revision { return known }
    let document = try? DocumentCoder.decode(Document.self, from: entry.value, named: "document")
    return document.map { FleetView.Stored(document: $0, revision: entry.revision) }
  }
}
