// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingSystem
import WaxwingTestSupport

extension FleetSuite {
  @Suite("Faults of etcd, agents and daemons")
  struct FaultTests {
    @Test("etcd is killed in the middle of a stage: nothing changes until it is back")
    func killed() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      try stage.start(set)
      try stage.waitFor(set, on: "a")
      try stage.etcd.kill(0)
      try expectStays("only one node has it", for: .seconds(1.5), seen: stage.liveVersions()) {
        try stage.liveVersions() == [[1], []]
      }
      try stage.etcd.restart(0)
      try stage.move(to: .rolling, stage: 1)
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
    }

    @Test func `etcd stands still for 20 s in the middle of a stage, and the rollout goes on`()
      throws
    {
      let stage = try FleetStage()
      let controller = try stage.startController("one")
      let set = try stage.publish(1)
      try stage.start(set, ["--stages", "canary@5s,100%@5s", "--min-calls", "0"])
      try stage.waitFor(set, on: "a")
      stage.etcd.stop()
      try expectStays("only one node has it", for: .seconds(20), seen: stage.liveVersions()) {
        try stage.liveVersions() == [[1], []]
      }
      stage.etcd.continue()
      try stage.wait("the rollout is done") { try stage.state()?.phase == .done }
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
      try expectEqual(stage.history(), ["published", "started", "stage", "done"])
      controller.send(signal: SIGTERM)
    }

    @Test func `a halt that is written when etcd goes on reaches all`() throws {
      let stage = try FleetStage()
      try stage.settle(try stage.publish(1))
      stage.etcd.stop()
      letOthersRun(for: .seconds(7))
      stage.etcd.continue()
      try stage.wait("etcd answers") {
        (try? stage.fleet("halt")) != nil
      }
      for node in ["a", "b"] { try stage.waitFor(nil, on: node) }
    }

    @Test("etcd is compacted while an agent stands still, and while another is away")
    func compacted() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      stage.agents["a"]?.send(signal: SIGSTOP)
      stage.agents["b"] = nil
      try stage.start(set)
      try stage.move(to: .rolling, stage: 1)
      for number in 0..<50 { try stage.etcd.etcdctl(["put", "/other/\(number)", "x"]) }
      let revision = try stage.backend.range("/other/").revision
      try stage.etcd.etcdctl(["compact", "\(revision)"])
      stage.agents["a"]?.send(signal: SIGCONT)
      try stage.startAgent("b")
      for node in ["a", "b"] { try stage.waitFor(set, on: node) }
    }

    @Test("A watch from before a compaction says so")
    func compactedWatch() throws {
      let stage = try FleetStage([])
      let first = try stage.backend.range(stage.keys.current).revision
      for number in 0..<5 { try stage.backend.put(stage.keys.prefix + "\(number)", [1]) }
      let revision = try stage.backend.range(stage.keys.current).revision
      try stage.etcd.etcdctl(["compact", "\(revision)"])
      let error = #expect(throws: FleetError.self) {
        let watch = try stage.backend.watch(stage.keys.prefix, from: first)
        _ = try watch.next(until: .after(seconds: 5))
      }
      #expect(error?.code == .compacted)
    }

    @Test("An agent is killed at each step, and the next one goes on where it was")
    func agentKilled() throws {
      let stage = try FleetStage()
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.settle(first)
      try stage.start(second)
      // Around the moment when it applies the set.
      for milliseconds in [0, 30, 120, 400] {
        letOthersRun(for: .milliseconds(milliseconds))
        stage.agents["a"] = nil
        try stage.checkAll()
        try stage.startAgent("a")
      }
      try stage.waitFor(second, on: "a")
      stage.agents["a"] = nil
      try stage.fleet("abort")
      try stage.startAgent("a")
      try stage.waitFor(first, on: "a")
      try stage.waitFor(first, on: "b")
    }

    @Test("A trial ends by itself when nobody renews it, and what was there before comes back")
    func agentGone() throws {
      let stage = try FleetStage(["a"])
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.settle(first, on: ["a"])
      stage.agents["a"] = nil
      try stage.startAgent("a", ["--trial", "3s"])
      try stage.start(second)
      try stage.waitFor(second, on: "a")
      stage.agents["a"] = nil
      try stage.wait("the trial has ended") { try stage.live("a").map(\.version) == [1] }
      try stage.checkAll()
    }

    @Test("A daemon is killed on trial, and when the set is kept")
    func daemonRestarts() throws {
      let stage = try FleetStage(["a"])
      let set = try stage.publish(1)
      try stage.start(set)
      try stage.waitFor(set, on: "a")
      try restart(stage)
      try stage.waitFor(set, on: "a")
      try stage.wait("the restart was counted") {
        try (stage.report("a")?.counters.restarts ?? 0) > 0
      }
      try stage.move(to: .done, stage: 1)
      try stage.wait("it is kept") { try stage.live("a").allSatisfy { $0.isKept == true } }
      stage.agents["a"] = nil
      try restart(stage)
      try stage.wait("it is live without an agent") { try stage.live("a").map(\.version) == [1] }
      try stage.checkAll()
    }

    private func restart(_ stage: FleetStage) throws {
      stage.daemons["a"]?.send(signal: SIGKILL)
      try stage.daemons["a"]?.waitForExit()
      try stage.startDaemon("a")
    }

    @Test("A node that was away for a whole rollout comes to its set")
    func away() throws {
      let stage = try FleetStage()
      let set = try stage.publish(1)
      stage.agents["b"] = nil
      stage.daemons["b"]?.send(signal: SIGKILL)
      try stage.daemons["b"]?.waitForExit()
      try stage.settle(set, on: ["a"])
      try stage.startDaemon("b")
      try stage.startAgent("b")
      try stage.waitFor(set, on: "b")
    }
  }
}
