// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// Rollouts to different nodes, one after the other.
  @Suite struct GoalTests {
    private func stage() throws -> FleetStage {
      let stage = try FleetStage([])
      for (node, region) in [("e1", "eu"), ("u1", "us")] { try add(node, region, to: stage) }
      return stage
    }

    private func add(_ node: String, _ region: String, to stage: FleetStage) throws {
      try stage.startDaemon(node)
      try stage.startAgent(node, labels: "region=\(region)")
      try stage.wait("\(node) is there") { try stage.report(node)?.daemons == 1 }
    }

    private func settle(_ set: String, _ region: String, on stage: FleetStage) throws {
      try stage.start(set, ["--to", "region=\(region)", "--stages", "100%"])
      try stage.move(to: .done, stage: 0)
    }

    @Test func `a halt that is lifted leaves every node where the rollouts say, also a new one`()
      throws
    {
      let stage = try stage()
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try settle(first, "eu", on: stage)
      try stage.waitFor(first, on: "e1")
      try settle(second, "us", on: stage)
      try stage.waitFor(second, on: "u1")
      try add("e2", "eu", to: stage)
      try stage.waitFor(first, on: "e2")
      try stage.fleet("halt")
      for node in ["e1", "e2", "u1"] { try stage.waitFor(nil, on: node) }
      try stage.fleet("halt", "--lift")
      for node in ["e1", "e2"] { try stage.waitFor(first, on: node) }
      try stage.waitFor(second, on: "u1")
      // An agent that was started anew knows its set, and does not apply it again.
      let applied = try stage.applied(on: "e1").count
      stage.agents["e1"] = nil
      try stage.startAgent("e1", labels: "region=eu")
      try stage.wait("the new agent knows its set") {
        guard try stage.report("e1")?.set == first else { return false }
        return stage.agents["e1"]?.standardError.contains("goal: set \(first.prefix(12))") == true
      }
      #expect(try stage.applied(on: "e1").count == applied)
      try stage.wait("all are where they should be") {
        try stage.fleet("diff").standardOutput.contains("every node is where it should be")
      }
      let status = try stage.fleet("status").standardOutput
      #expect(status.contains("done: set \(first.prefix(12)) to region=eu, nodes: 2"), "\(status)")
      #expect(status.contains("3 nodes, 3 where they should be"), "\(status)")
    }

    @Test func `a selector, canary or stage that no node is there for is refused unsigned`() throws
    {
      let stage = try stage()
      let set = try stage.publish(1)
      for (words, why) in [
        (["--to", "regoin=eu", "--stages", "100%"], "no node has the label regoin"),
        (["--to", "region!=moon", "--stages", "100%"], "no node has such a value"),
        (["--canaries", "e7"], "the canary e7 is not there"),
        (["--stages", "10%,100%"], "the stage 10% has no node"),
      ] {
        let result = try stage.fleet(
          words: ["rollout", "start", set, "--key", "nowhere"] + words, fails: true)
        #expect(result.status == .exited(2), "\(result)")
        #expect(result.standardError.contains(why), "\(result)")
      }
      let dry = try stage.fleet(
        "rollout", "start", set, "--key", "nowhere", "--stages", "50%,100%", "--dry-run")
      #expect(dry.standardOutput.contains("50% (1 node)"), "\(dry)")
      #expect(try stage.state() == nil)
    }

    @Test func `what an older version has finished counts, by its history`() throws {
      let stage = try stage()
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      for (serial, set, region) in [(1, first, "eu"), (2, second, "us")] {
        let rollout = Rollout(
          serial: serial, set: set, previous: nil, selector: "region=\(region)", canaries: [],
          stages: [RolloutStage(basisPoints: 10_000, bakeSeconds: 1)],
          expires: Timestamp(secondsSince1970: 4_000_000_000))
        try stage.writeOld(rollout, isNewest: serial == 2)
      }
      // The older version knows one rollout only: others are left where they are.
      try stage.waitFor(second, on: "u1")
      #expect(try stage.live("e1").isEmpty)
      let third = try stage.publish(3)
      try stage.start(third, ["--to", "node=u1", "--stages", "100%"])
      try stage.waitFor(third, on: "u1")
      try stage.waitFor(first, on: "e1")
      try stage.fleet("abort")
      try stage.waitFor(second, on: "u1")
    }
  }
}

extension FleetStage {
  /// A finished rollout as an older version has left it.
  func writeOld(_ rollout: Rollout, isNewest: Bool) throws {
    let bytes = DocumentCoder.encode(rollout)
    try directory.write(String(decoding: bytes, as: UTF8.self), to: "document")
    try bash("ssh-keygen -q -Y sign -n waxwing-fleet -f key < document > document.sig")
    let signature = try String(contentsOfFile: "\(path)/document.sig", encoding: .utf8)
    let document = SignedDocument(bytes: bytes, signature: signature)
    try backend.put(keys.key(.rollout(document.id)), DocumentCoder.encode(document))
    if isNewest {
      let state = RolloutState(rollout: document.id, phase: .done, epoch: rollout.serial)
      try backend.put(keys.key(.state), DocumentCoder.encode(state))
    }
    try DecisionLog(backend: backend, keys: keys).append(
      FleetLogEntry("done", by: "old", rollout: document.id))
  }
}
