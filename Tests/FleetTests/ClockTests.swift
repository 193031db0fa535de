// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// Hosts whose clocks are wrong.
  @Suite struct ClockTests {
    private static let day = 86_400

    /// A wrong time of day; the monotonic clock is right.
    private func clock(_ stage: FleetStage, _ name: String, days: Int) throws -> [String: String] {
      let folder = "\(stage.path)/\(name)-clock"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let shim = try ClockShim(in: folder)
      try shim.shift(days * Self.day)
      return shim.environment
    }

    @Test(arguments: [-2, 2])
    func `a rollout goes through, and its history is in order, whatever the clocks say`(days: Int)
      throws
    {
      let stage = try FleetStage([])
      for (node, days) in [("a", -days), ("b", days)] {
        try stage.startDaemon(node)
        try stage.startAgent(node, environment: clock(stage, node, days: days))
      }
      let controller = try stage.startController(
        "one", environment: clock(stage, "controller", days: days))
      for node in ["a", "b"] {
        try stage.wait("\(node) is there") { try stage.report(node)?.daemons == 1 }
      }
      let set = try stage.publish(1)
      try stage.start(set, ["--stages", "canary@4s,100%@5s", "--min-calls", "0"])
      let start = ContinuousClock.now
      try stage.waitFor(set, on: "a")
      try stage.wait("the rollout is done") { try stage.state()?.phase == .done }
      // No clock of the day lets a stage's time pass.
      #expect(ContinuousClock.now - start >= .seconds(5))
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
      try expectEqual(stage.history(), ["published", "started", "stage", "done"])
      controller.send(signal: SIGTERM)
    }

    @Test func `whether a patch has expired is what the daemon's clock says`() throws {
      let stage = try FleetStage([])
      let moment = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 86_400))
      let set = try stage.publish(1, manifest: ", expires = \"\(moment)\"")
      // The agent of one is wrong, the daemon of the other.
      try stage.startDaemon("a")
      try stage.startAgent("a", environment: clock(stage, "a", days: 2))
      try stage.startDaemon("b", environment: clock(stage, "b", days: 2))
      try stage.startAgent("b")
      for node in ["a", "b"] {
        try stage.wait("\(node) is there") { try stage.report(node)?.daemons == 1 }
      }
      try stage.start(set)
      try stage.move(to: .rolling, stage: 1)
      try stage.waitFor(set, on: "a")
      try stage.wait("the daemon refuses it") {
        try stage.report("b")?.trouble?.contains("the patch expired") == true
      }
      #expect(try stage.live("b").isEmpty)
      try stage.checkAll()
    }

    @Test func `a clock that is set back brings no expired rollout back`() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      try stage.start(set, ["--expires", "1h"])
      try stage.waitFor(set, on: "a")
      // An agent with a clock that is a day ahead, and then with the right one.
      for environment in [try clock(stage, "ahead", days: 1), [:]] {
        stage.agents["b"] = nil
        try stage.startAgent("b", environment: environment)
        if !environment.isEmpty { try stage.move(to: .rolling, stage: 1) }
        try stage.wait("the agent says that it has expired") {
          stage.agents["b"]?.standardError.contains(" expired ") == true
        }
        try stage.wait("so does its report") {
          try stage.report("b")?.trouble?.contains(" expired ") == true
        }
        #expect(try stage.live("b").isEmpty)
      }
      // A rollout that is newer has its own time.
      try stage.fleet("abort")
      for node in ["a", "b"] { try stage.waitFor(nil, on: node) }
      try stage.wait("all have seen the abort") {
        try stage.start(set, ["--stages", "100%"])
        return true
      }
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
    }
  }
}
