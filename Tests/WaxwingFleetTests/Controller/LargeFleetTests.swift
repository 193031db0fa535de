// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@testable import WaxwingFleet

/// Fleets with so many nodes that a stage's record is stored in parts.
@Suite struct LargeFleetTests {
  /// Signed documents in a store in memory, and nodes that do what the state says.
  private final class Fleet {
    let backend = MemoryBackend()
    let keys: FleetKeys
    let rollout: String
    let set: String
    private let document: Rollout
    private let folder: TemporaryFolder
    private let names: [String]
    private var reports: [String: NodeReport] = [:]

    init(nodes: Int, stages: String) throws {
      let folder = try TemporaryFolder()
      try Self.bash("ssh-keygen -q -t ed25519 -N '' -C '' -f key", folder)
      try Self.bash(
        "echo \"a@ops namespaces=\\\"waxwing-fleet\\\" $(cat key.pub)\" > signers", folder)
      let names = (0..<nodes).map { "node-\($0).rack-\($0 % 97).region-1.example.org" }
      let keys = try FleetKeys(fleet: "test")
      let blob = String(repeating: "b", count: 64)
      let patches = FleetSet(
        program: "bankd", patches: [.init(name: "fees", version: 1, serial: 1, blob: blob)])
      let signedSet = try Self.signed(DocumentCoder.encode(patches), folder)
      var gates = RolloutGates()
      (gates.minimumCalls, gates.minimumErrorRequests) = (0, 1)
      let document = Rollout(
        serial: 1, set: signedSet.id, base: [], selector: "all", canaries: [],
        stages: try RolloutStage.list(stages, bakeSeconds: 10), gates: gates,
        expires: Timestamp(secondsSince1970: 4_000_000_000))
      let signedRollout = try Self.signed(DocumentCoder.encode(document), folder)
      (self.folder, self.names, self.keys, self.document) = (folder, names, keys, document)
      (set, rollout) = (signedSet.id, signedRollout.id)
      let state = RolloutState(
        rollout: rollout, phase: .rolling, epoch: 1,
        chosen: document.choice(of: 0, id: rollout, among: names, before: nil))
      try backend.put(keys.key(.set(set)), DocumentCoder.encode(signedSet))
      try backend.put(keys.key(.rollout(rollout)), DocumentCoder.encode(signedRollout))
      try backend.put(keys.key(.state), DocumentCoder.encode(state))
      for name in names { try add(name) }
    }

    private static func bash(_ line: String, _ folder: TemporaryFolder) throws {
      let result = try Command("/bin/bash", ["-c", line], directory: folder.path).run()
      guard result.isSuccess else { throw TestSupportError("\(line): \(result)") }
    }

    private static func signed(
      _ bytes: [UInt8], _ folder: TemporaryFolder
    ) throws -> SignedDocument {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/document"))
      try bash("ssh-keygen -q -Y sign -n waxwing-fleet -f key < document > document.sig", folder)
      let signature = try String(contentsOfFile: folder.path + "/document.sig", encoding: .utf8)
      return SignedDocument(bytes: bytes, signature: signature)
    }

    var controller: FleetController {
      FleetController(
        backend: backend, keys: keys,
        verifier: DocumentVerifier(
          signers: folder.path + "/signers", revoked: folder.path + "/none"), name: "one")
    }

    var state: RolloutState {
      get throws {
        try DocumentCoder.decode(
          RolloutState.self, from: try backend.get(keys.key(.state))?.value ?? [], named: "state")
      }
    }

    func add(_ name: String) throws {
      let info = NodeInfo(
        node: name, program: "bankd", builds: [String(repeating: "4f", count: 20)],
        labels: ["region": "eu", "tier": "front"], version: "0.1.0")
      var report = NodeReport(node: name)
      report.builds = info.builds
      (report.isBaseline, report.isConverged, report.daemons) = (true, true, 1)
      report.counters.since = 1_800_000_000_000
      (report.counters.requests, report.counters.errors) = (1_000_000, 100)
      report.counters.latency = 12_345.6
      reports[name] = report
      try backend.put(keys.key(.info(name)), DocumentCoder.encode(info))
      try backend.put(keys.key(.report(name)), DocumentCoder.encode(report))
    }

    /// All nodes go where the state says, and report.
    func work() throws {
      let state = try state
      for name in reports.keys {
        let isTreated = state.phase == .done || document.includes(name, in: state)
        reports[name]?.set = isTreated ? set : nil
        reports[name]?.isBaseline = !isTreated
        reports[name]?.rollout = rollout
        reports[name]?.epoch = state.epoch
        reports[name]?.counters.requests? += 1000
        guard let report = reports[name] else { continue }
        try backend.put(keys.key(.report(name)), DocumentCoder.encode(report))
      }
    }

    /// How many nodes have the set.
    var treated: Int { reports.values.count { $0.set == set } }
  }

  @Test func `ten thousand nodes go through a rollout, and no document is too large for a store`()
    throws
  {
    let fleet = try Fleet(nodes: 10_000, stages: "25%,100%")
    let controller = fleet.controller
    var (clock, events) = (0, [String]())
    for _ in 0..<12 where try fleet.state.phase == .rolling {
      guard case .led(let lines) = try controller.round(clock: clock) else {
        Issue.record("it does not lead")
        return
      }
      events += lines.compactMap { $0.split(separator: ":").first.map(String.init) }
      if lines.contains(where: { $0.hasPrefix("stage: ") }) { #expect(fleet.treated == 2500) }
      if try fleet.state.phase == .rolling { try fleet.work() }
      clock += 6000
    }
    #expect(events == ["stage", "done"])
    #expect(fleet.backend.counts.largest < 1 << 19, "\(fleet.backend.counts)")
  }

  @Test func `a record in parts is the same for the next leader, grows, and is mended`() throws {
    let fleet = try Fleet(nodes: 1200, stages: "10%,100%")
    let first = fleet.controller
    _ = try first.round(clock: 0)
    func record() throws -> StageRecord? {
      let reader = FleetReader(
        backend: fleet.backend, keys: fleet.keys,
        verifier: DocumentVerifier(signers: "/none", revoked: "/none"))
      return try reader.view().record?.document
    }
    #expect(try record()?.nodes.count == 1200)
    #expect(try record()?.parts == 4)
    try fleet.work()
    try fleet.add("late")
    let before = fleet.backend.counts.writes
    _ = try first.round(clock: 1000)
    // 120 nodes have got the set, and one is new.
    #expect(try record()?.nodes.count == 1201)
    #expect(try record()?.nodes.values.count { $0.set == fleet.set } == 120)
    // Nothing new is written again but for how long the stage was watched.
    let after = fleet.backend.counts.writes
    #expect(after - before <= 7)
    _ = try first.round(clock: 2000)
    #expect(fleet.backend.counts.writes == after + 1)
    first.stop()
    try fleet.backend.delete(fleet.keys.key(.controller))
    // A part that somebody has spoilt.
    try fleet.backend.put(fleet.keys.key(.stagePart(fleet.rollout, 2)), Array("junk".utf8))
    let second = fleet.controller
    guard case .led(let lines) = try second.round(clock: 0) else {
      Issue.record("it does not lead")
      return
    }
    #expect(lines.count == 1, "\(lines)")
    #expect(try record()?.nodes.count == 1201)
    #expect(try fleet.state.phase == .rolling)
  }
}
