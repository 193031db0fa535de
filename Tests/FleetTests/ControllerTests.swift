// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingEtcd
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// Controllers as processes, on a real etcd, with real agents and daemons.
  @Suite struct ControllerTests {
    private func control(_ stage: FleetStage, _ name: String) throws -> RunningProcess {
      try Command(
        try BuiltProduct("waxwing-fleet").path,
        [
          "control", "--name", name, "--every", "1s", "--etcd", stage.etcd.endpoint, "--fleet",
          "bankd",
          "--signers", "\(stage.path)/allowed_signers", "--revoked",
          "\(stage.path)/revoked_signers",
        ]
      ).start()
    }

    private func state(_ stage: FleetStage) throws -> RolloutState? {
      try document(stage, .state, "state")
    }

    private func document<Document: Decodable>(
      _ stage: FleetStage, _ key: FleetKey, _ name: String
    ) throws -> Document? {
      guard let entry = try stage.backend.get(stage.keys.key(key)) else { return nil }
      return try DocumentCoder.decode(Document.self, from: entry.value, named: name)
    }

    @Test func `of two controllers one leads, and the other goes on when it is killed`() throws {
      let stage = try FleetStage()
      var controllers = ["one": try control(stage, "one"), "two": try control(stage, "two")]
      try stage.wait("one leads") {
        let lead: ControllerLead? = try self.document(stage, .controller, "lead")
        return lead != nil
      }
      let set = try stage.publish(1)
      try stage.start(set, ["--min-calls", "0"])
      try stage.wait("the stage is watched") {
        let progress: StageProgress? = try self.document(stage, .progress, "progress")
        return progress != nil
      }
      let lead: ControllerLead = try #require(try document(stage, .controller, "lead"))
      let removed = controllers.removeValue(forKey: lead.name)
      let leader = try #require(removed)
      leader.send(signal: SIGKILL)
      try leader.waitForExit()
      try stage.wait("the rollout is done") { try self.state(stage)?.phase == .done }
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
      #expect(
        try DecisionLog(backend: stage.backend, keys: stage.keys).newest(1).first?.event == "done")
      for controller in controllers.values { controller.send(signal: SIGTERM) }
    }

    @Test func `a set that the canary cannot take is rolled back, and remembered`() throws {
      let stage = try FleetStage()
      let controller = try control(stage, "one")
      let good = try stage.publish(1)
      try stage.settle(good)
      try stage.directory.write(
        """
        patch { name = "fees", program = "bankd", version = 2, serial = 2 }
        local N = class "bankd.Nothing"

        """, to: "fees.lua")
      try stage.bash(
        "rm -f fees.lua.sig; ssh-keygen -q -Y sign -n waxwing-patch -f key < fees.lua > fees.lua.sig"
      )
      let answer = try stage.fleet("publish", "fees.lua", "--key", "key", "--json")
      struct Published: Decodable { let set: String }
      let bad = try JSONDecoder().decode(Published.self, from: Data(answer.standardOutput.utf8)).set
      try stage.start(bad, ["--min-calls", "0"])
      try stage.wait("the set is rolled back") { try self.state(stage)?.phase == .rolledBack }
      for node in ["a", "b"] { try stage.waitFor(good, on: node) }
      let mark: BadSet = try #require(try document(stage, .bad(bad), "mark"))
      #expect(mark.why.contains("could not take the set"))
      try stage.fleet("rollout", "start", bad, "--key", "key", "--stages", "100%", fails: true)
      let events = try DecisionLog(backend: stage.backend, keys: stage.keys).newest(2).map(\.event)
      #expect(events == ["rolledBack", "aborted"])
      controller.send(signal: SIGTERM)
    }
  }
}
