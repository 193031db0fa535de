// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// An etcd of three members that loses some.
  @Suite struct ClusterTests {
    @Test func `of three members any one may be lost, and all goes on`() throws {
      let stage = try FleetStage(etcd: try Etcd(members: 3))
      let controller = try stage.startController("one")
      for member in 0..<3 {
        try stage.etcd.kill(member)
        try stage.wait("there is a leader") {
          try stage.backend.put("/test", [1])
          return true
        }
        let set = try stage.publish(member + 1)
        try stage.start(set, ["--min-calls", "0", "--bake", "4s"])
        try stage.wait("the rollout is done") { try stage.state()?.phase == .done }
        for node in ["a", "b"] { try stage.waitFor(set, on: node) }
        try stage.etcd.restart(member)
      }
      let rollout = ["published", "started", "stage", "done"]
      try expectEqual(stage.history(), rollout + rollout + rollout)
      controller.send(signal: SIGTERM)
    }

    @Test func `with two members lost nothing changes, and it goes on when they are back`() throws {
      let stage = try FleetStage(etcd: try Etcd(members: 3))
      let controller = try stage.startController("one")
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.start(first, ["--min-calls", "0", "--bake", "4s"])
      for node in ["a", "b"] { try stage.waitFor(first, on: node) }
      try stage.wait("the first is done") { try stage.state()?.phase == .done }
      try stage.start(second, ["--stages", "canary@8s,100%@5s", "--min-calls", "0"])
      try stage.waitFor(second, on: "a")
      try stage.etcd.kill(1, 2)
      // Longer than the canary's stage.
      try expectStays("each node has what it had", for: .seconds(10), seen: stage.liveVersions()) {
        try stage.liveVersions() == [[2], [1]]
      }
      let status = try stage.fleet("status", fails: true)
      #expect(status.status == .exited(5), "\(status)")
      #expect(status.standardError.contains("hint: "))
      try stage.checkAll()
      try stage.etcd.restart(1, 2)
      try stage.wait("the second is done") { try stage.state()?.phase == .done }
      for node in ["a", "b"] { try stage.waitFor(second, on: node) }
      try expectEqual(
        stage.history(),
        ["published", "published", "started", "stage", "done", "started", "stage", "done"])
      controller.send(signal: SIGTERM)
    }
  }
}
