// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  @Suite("Rollouts by real agents")
  struct RolloutTests {
    @Test("A set goes to the canary, then to all, on trial; at the end it is kept")
    func good() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      try stage.start(set)
      try stage.waitFor(set, on: "a")
      try stage.waitFor(nil, on: "b")
      #expect(try stage.live("a").allSatisfy { $0.trialSecondsLeft != nil })
      try stage.move(to: .rolling, stage: 1)
      try stage.waitFor(set, on: "b")
      try stage.move(to: .done, stage: 1)
      try stage.wait("both are kept") {
        try ["a", "b"].allSatisfy { node in
          try stage.live(node).allSatisfy { $0.isKept == true && $0.trialSecondsLeft == nil }
        }
      }
      try stage.checkAll()
      let status = try stage.fleet("status", "--json").standardOutput
      #expect(status.contains(#""converged" : 2"#) || status.contains(#""converged": 2"#))
    }

    @Test("An abort brings back what the canary had before, though its serial number is lower")
    func abort() throws {
      let stage = try FleetStage()
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.settle(first)
      try stage.start(second)
      try stage.waitFor(second, on: "a")
      try stage.waitFor(first, on: "b")
      try stage.fleet("abort", "--why", "test", "--bad")
      try stage.waitFor(first, on: "a")
      try stage.wait("all are where they should be") {
        try ["a", "b"].allSatisfy { try stage.report($0)?.isConverged == true }
      }
      let refused = try stage.fleet("rollout", "start", second, "--key", "key", fails: true)
      #expect(refused.status == .exited(3))
      #expect(refused.standardError.contains("was found bad"))
    }

    @Test("A halt puts everybody back, and keeps those back that come later; lifted, all go on")
    func halt() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      try stage.settle(set)
      try stage.fleet("halt", "--why", "fire")
      for node in ["a", "b"] { try stage.waitFor(nil, on: node) }
      #expect(try stage.fleet("status", fails: true).status == .exited(10))
      stage.agents["b"] = nil
      try stage.startAgent("b")
      try stage.wait("the new agent has seen it") { try stage.report("b")?.isHalted == true }
      try stage.waitFor(nil, on: "b")
      try stage.fleet("halt", "--lift")
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
    }

    @Test(arguments: [true, false])
    func `a halt in the middle of a rollout leaves the way back open`(isLiftedFirst: Bool) throws {
      let stage = try FleetStage()
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.settle(first)
      try stage.start(second)
      try stage.waitFor(second, on: "a")
      try stage.fleet("halt")
      for node in ["a", "b"] { try stage.waitFor(nil, on: node) }
      if isLiftedFirst {
        try stage.fleet("halt", "--lift")
        try stage.waitFor(second, on: "a")
        try stage.waitFor(first, on: "b")
      }
      try stage.fleet("abort")
      if !isLiftedFirst { try stage.fleet("halt", "--lift") }
      for node in ["a", "b"] { try stage.waitFor(first, on: node) }
      try stage.wait("all are where they should be, for good") {
        try ["a", "b"].allSatisfy { node in
          try stage.report(node)?.isConverged == true
            && stage.live(node).allSatisfy { $0.isKept == true }
        }
      }
      let ends = isLiftedFirst ? ["lifted", "aborted"] : ["aborted", "lifted"]
      #expect(
        try stage.history() == ["published", "published", "started", "started", "halted"] + ends)
    }

    @Test func `without --keep a set stays until its daemon ends, and older ones are refused`()
      throws
    {
      let stage = try FleetStage([])
      try stage.startDaemon("a")
      try stage.startAgent("a", ["--no-keep", "--trial", "6s"])
      try stage.wait("the agent is there") { try stage.report("a")?.daemons == 1 }
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      for set in [first, second] {
        try stage.settle(set, on: ["a"])
        try stage.wait("it is not on trial") {
          try stage.live("a").allSatisfy { $0.trialSecondsLeft == nil && $0.isKept != true }
        }
      }
      try stage.start(first)
      try stage.wait("the daemon refuses it") {
        try stage.report("a")?.trouble?.contains("is below 2") == true
      }
      #expect(try stage.live("a").map(\.version) == [2])
      try stage.checkAll()
    }

    @Test("`waxwing fleet` becomes waxwing-fleet, and says so if it is not there")
    func tool() throws {
      let tool = try BuiltProduct("waxwing").path
      let help = try Command(tool, ["fleet", "help"]).run()
      #expect(help.isSuccess)
      #expect(help.standardOutput.hasPrefix("waxwing-fleet: "))
      let wrong = try Command(tool, ["fleet", "rollout", "begin"]).run()
      #expect(wrong.status == .exited(2))
      let directory = try TemporaryDirectory()
      try ProgramCopy.make(tool, to: "\(directory.path)/waxwing")
      let alone = try Command(
        "\(directory.path)/waxwing", ["fleet", "help"], environment: ["PATH": directory.path]
      ).run()
      #expect(alone.status == .exited(1))
      #expect(alone.standardError.contains("neither beside this tool nor in PATH"))
    }

    @Test func `a folder that is not the fleet's is refused with a hint`() throws {
      let tool = try BuiltProduct("waxwing-fleet").path
      for folder in ["/nowhere", "/proc"] {
        let result = try Command(tool, ["halt", "--folder", folder, "--fleet", "bankd"]).run()
        #expect(!result.isSuccess)
        #expect(result.standardError.contains("waxwing-fleet: hint: "), "\(result)")
      }
    }

    @Test("A paused rollout stays at its stage, and only a paused one goes on")
    func pause() throws {
      let stage = try FleetStage(["a"])
      let set = try stage.publish(1)
      #expect(try stage.fleet("pause", fails: true).status == .exited(3))
      try stage.start(set)
      #expect(try stage.fleet("resume", fails: true).status == .exited(4))
      try stage.fleet("pause")
      try stage.waitFor(set, on: "a")
      #expect(
        try stage.fleet("rollout", "start", set, "--key", "key", fails: true).status == .exited(4))
      try stage.fleet("resume")
      struct History: Decodable { let entries: [FleetLogEntry] }
      let output = try stage.fleet("history", "--json").standardOutput
      let history = try JSONDecoder().decode(History.self, from: Data(output.utf8))
      #expect(history.entries.map(\.event) == ["published", "started", "paused", "resumed"])
    }
  }
}

/// Tests that start etcds and daemons: one at a time.
@Suite("Fleets", .serialized)
enum FleetSuite {}
