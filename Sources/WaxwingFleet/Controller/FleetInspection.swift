// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Looks for documents of a fleet that its programs cannot read, and says what each of them does about it.
package struct FleetInspection {
  /// A document with a defect.
  package struct Defect: Hashable, Sendable {
    /// The key of the document.
    package let key: FleetKey
    /// The defect of the document.
    package let what: String
    /// The fleet's behaviour meanwhile, and the remedy.
    package let remedy: String
  }

  private let backend: any FleetBackend
  private let keys: FleetKeys
  private let verifier: DocumentVerifier

  /// Looks at one fleet.
  package init(_ backend: any FleetBackend, _ keys: FleetKeys, _ verifier: DocumentVerifier) {
    self.backend = backend
    self.keys = keys
    self.verifier = verifier
  }

  /// The defects of the documents by which the fleet is led, found with a few reads.
  package var quickDefects: [Defect] {
    get throws(FleetError) {
      var defects: [Defect] = []
      for key in [FleetKey.state, .halt, .controller, .progress] {
        if let entry = try backend.get(keys.key(key)), let defect = defect(of: entry, key) {
          defects.append(defect)
        }
      }
      return defects
    }
  }

  /// The defects of all documents except patches, whose hashes agents compare.
  package var defects: [Defect] {
    get throws(FleetError) {
      var defects: [Defect] = try quickDefects
      for kind in ["sets", "rollouts", "bad", "nodes", "stages", "log"] {
        for entry in try backend.range(keys.prefix(of: kind)).entries {
          guard let key = keys.document(at: entry.key) else {
            let path = String(entry.key.dropFirst(keys.prefix.count))
            defects.append(
              Defect(key: .other(path), what: "no document has this key", remedy: "remove it"))
            continue
          }
          if let defect = defect(of: entry, key) { defects.append(defect) }
        }
      }
      return defects
    }
  }

  private func defect(of entry: FleetEntry, _ key: FleetKey) -> Defect? {
    do throws(FleetError) {
      try check(entry, key)
      return nil
    } catch {
      return Defect(key: key, what: error.message, remedy: Self.remedy(for: key))
    }
  }

  private func check(_ entry: FleetEntry, _ key: FleetKey) throws(FleetError) {
    func read<Document: Decodable>(_ type: Document.Type) throws(FleetError) {
      _ = try DocumentCoder.decode(type, from: entry.value, named: "it")
    }
    switch key {
    case .state: try read(RolloutState.self)
    case .halt: try read(Halt.self)
    case .progress: try read(StageProgress.self)
    case .info: try read(NodeInfo.self)
    case .report: try read(NodeReport.self)
    case .bad: try read(BadSet.self)
    case .stage: try read(StageRecord.self)
    case .stagePart: try read(StageRecord.Part.self)
    case .log: try read(FleetLogEntry.self)
    case .controller:
      if let defect = ControllerLead.defect(of: entry) { throw FleetError(.untrusted, defect) }
    case .set(let id): _ = try verifier.set(stored: entry.value, id: id)
    case .rollout(let id): _ = try verifier.rollout(stored: entry.value, id: id)
    case .blob, .other: break
    }
  }

  private static func remedy(for key: FleetKey) -> String {
    switch key {
    case .state:
      "nodes stay as they are; remove it, and start a rollout: finished ones count by the history"
    case .halt: "it counts as a halt; `waxwing-fleet halt --lift` removes it"
    case .controller:
      "the next controller that looks replaces it; start one: `waxwing-fleet control`"
    case .progress, .stage, .stagePart:
      "the controller writes it anew, and counts the stage from then on"
    case .info, .report:
      "the node counts as silent; its agent writes it again; find out who else may"
    case .bad: "the set counts as bad; `waxwing-fleet bad SET --lift` removes it"
    case .set, .rollout, .blob:
      "no node goes to it; find out who wrote it, and publish or start another one"
    case .log, .other: "it is left out; remove it"
    }
  }
}
