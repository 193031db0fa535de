// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// Controllers as processes, on a real etcd, with real agents and daemons.
  @Suite struct ControllerTests {
    @Test func `of two controllers one leads, and the other goes on when it is killed`() throws {
      let stage = try FleetStage()
      var controllers = [
        "one": try stage.startController("one"), "two": try stage.startController("two"),
      ]
      try stage.wait("one leads") {
        let lead: ControllerLead? = try stage.document(.controller)
        return lead != nil
      }
      let set = try stage.publish(1)
      try stage.start(set, ["--min-calls", "0"])
      try stage.wait("the stage is watched") {
        let progress: StageProgress? = try stage.document(.progress)
        return progress != nil
      }
      let lead: ControllerLead = try #require(try stage.document(.controller))
      let removed = controllers.removeValue(forKey: lead.name)
      let leader = try #require(removed)
      leader.send(signal: SIGKILL)
      try leader.waitForExit()
      try stage.wait("the rollout is done") { try stage.state()?.phase == .done }
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
      #expect(
        try DecisionLog(backend: stage.backend, keys: stage.keys).newest(1).first?.event == "done")
      for controller in controllers.values { controller.send(signal: SIGTERM) }
    }

    /// All nodes have the good set again, the bad one is remembered, and no second node has had it.
    private func expectEnd(
      of bad: String, because reason: String, on stage: FleetStage, with good: String
    ) throws {
      for node in ["a", "b"] { try stage.waitFor(good, on: node) }
      let mark: BadSet = try #require(try stage.document(.bad(bad)))
      #expect(mark.why.contains(reason), "\(mark)")
      #expect(try stage.applied(on: "b").allSatisfy { $0.version == 1 })
    }

    @Test func `a set whose overrides fail is rolled back by the share of calls that failed`()
      throws
    {
      let stage = try FleetStage()
      let controller = try stage.startController("one")
      let good = try stage.publish(1)
      try stage.settle(good)
      // Three calls fail: at five the daemon would switch the override off itself.
      let bad = try stage.publish(
        2,
        script: """
          local A, calls = class "bankd.Account", 0
          function A:deposit(amount, memo)
            calls = calls + 1
            if calls <= 60 and calls % 20 == 0 then error("too many") end
            return original(self, amount, memo)
          end
          """)
      try stage.start(bad, ["--min-calls", "50"])
      try stage.waitFor(bad, on: "a")
      try stage.deposit(60, on: "a")
      try stage.wait("the set is rolled back") { try stage.state()?.phase == .rolledBack }
      try expectEnd(of: bad, because: "calls of overrides failed", on: stage, with: good)
      controller.send(signal: SIGTERM)
    }

    @Test func `a set that crashes its program is rolled back, and no second node gets it`() throws
    {
      let stage = try FleetStage()
      let controller = try stage.startController("one")
      let good = try stage.publish(1)
      try stage.settle(good)
      // The second deposit overflows.
      let bad = try stage.publish(
        2,
        script: """
          local A = class "bankd.Account"
          function A:deposit(amount, memo) return original(self, math.maxinteger, memo) end
          """)
      try stage.start(bad, ["--min-calls", "50", "--bake", "5s"])
      var crashes = 0
      try stage.wait("the set is rolled back") {
        if try stage.state()?.phase == .rolledBack { return true }
        if stage.daemons["a"]?.isRunning != true {
          crashes += 1
          // As systemd does.
          try stage.startDaemon("a")
        } else if try stage.live("a").map(\.version) == [2] {
          #expect(throws: (any Error).self) { try stage.deposit(2, on: "a") }
          try stage.daemons["a"]?.waitForExit()
        }
        return false
      }
      #expect(crashes > 1)
      try expectEnd(of: bad, because: "crashed", on: stage, with: good)
      controller.send(signal: SIGTERM)
    }

    @Test func `a set that the canary cannot take is rolled back, and remembered`() throws {
      let stage = try FleetStage()
      let controller = try stage.startController("one")
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
      try stage.wait("the set is rolled back") { try stage.state()?.phase == .rolledBack }
      for node in ["a", "b"] { try stage.waitFor(good, on: node) }
      let mark: BadSet = try #require(try stage.document(.bad(bad)))
      #expect(mark.why.contains("could not take the set"))
      try stage.fleet("rollout", "start", bad, "--key", "key", "--stages", "100%", fails: true)
      let events = try DecisionLog(backend: stage.backend, keys: stage.keys).newest(2).map(\.event)
      #expect(events == ["rolledBack", "aborted"])
      controller.send(signal: SIGTERM)
    }
  }
}
