// SPDX-License-Identifier: MIT

import WaxwingControl
package import WaxwingFleet
import WaxwingSystem

/// Looks at the fleet again and again, and keeps what the page shows if the store does not answer.
package struct ConsoleLook {
  private static let entries = 100

  private let backend: any FleetBackend
  private let keys: FleetKeys
  private let reader: FleetReader
  private var curves = ConsoleCurves()
  private var last: ConsoleDocument

  /// Looks at one fleet.
  package init(backend: any FleetBackend, keys: FleetKeys, verifier: DocumentVerifier) {
    self.backend = backend
    self.keys = keys
    reader = FleetReader(backend: backend, keys: keys, verifier: verifier)
    last = ConsoleDocument(fleet: keys.fleet)
  }

  /// The document that pages show now.
  package mutating func document() -> ConsoleDocument {
    do throws(FleetError) {
      last = try read()
    } catch {
      last.trouble = "This is old: \(error.message)"
    }
    return last
  }

  private mutating func read() throws(FleetError) -> ConsoleDocument {
    let view = try reader.view(withNodes: true)
    curves.add(view, at: SystemTime.milliseconds)
    var document = ConsoleDocument(fleet: keys.fleet)
    document.show(view)
    document.sets = try sets(of: view)
    document.curves = curves.points
    document.controller = try leader()
    if document.controller == nil, document.halted == nil, !document.waits.isEmpty {
      document.waits.insert("a controller: none leads", at: 0)
    }
    let log = try DecisionLog(backend: backend, keys: keys).newest(Self.entries)
    document.log = log.map { entry in
      .init(at: entry.at.secondsSince1970 * 1000, by: entry.by, what: entry.event, why: entry.why)
    }
    if let id = document.plan?.id {
      document.plan?.signer = try? reader.signer(of: id)
      document.plan?.startedBy = log.first { $0.event == "started" && $0.rollout == id }?.by
    }
    return document
  }

  /// The sets of the rollouts that count, newest first. A set that cannot be read has no names.
  private func sets(of view: FleetView) throws(FleetError) -> [ConsoleDocument.PublishedSet] {
    let rollouts = [view.rollout] + (view.finished ?? []).reversed().map(\.rollout)
    var found: [ConsoleDocument.PublishedSet] = []
    for case let rollout? in rollouts where !found.contains(where: { $0.id == rollout.set }) {
      do throws(FleetError) {
        let set = try reader.set(rollout.set)
        found.append(
          .init(id: rollout.set, program: set.program, note: set.note, patches: set.patches))
      } catch  where error.code == .untrusted || error.code == .notFound {
        continue
      }
    }
    return found
  }

  private func leader() throws(FleetError) -> String? {
    guard let entry = try backend.get(keys.key(.controller)),
      ControllerLead.defect(of: entry) == nil
    else { return nil }
    return try? DocumentCoder.decode(
      ControllerLead.self, from: entry.value, named: "the lead"
    ).name
  }
}
