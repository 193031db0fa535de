// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@testable import WaxwingFleet

/// Controllers on a folder: who leads, and what is written.
@Suite struct FleetControllerTests {
  private let folder: TemporaryFolder
  private let backend: FolderBackend
  private let keys: FleetKeys

  init() throws {
    folder = try TemporaryFolder()
    backend = try FolderBackend(path: folder.path)
    keys = try FleetKeys(fleet: "test")
  }

  private func controller(_ name: String) -> FleetController {
    FleetController(
      backend: backend, keys: keys,
      verifier: DocumentVerifier(signers: folder.path + "/none", revoked: folder.path + "/none"),
      name: name)
  }

  @Test func `one leads, and the other takes its place`() throws {
    let (one, other) = (controller("one"), controller("other"))
    #expect(try one.beat(clock: 0) == .led([]))
    #expect(try other.beat(clock: 0) == .follows)
    #expect(try one.beat(clock: 2000) == .led([]))
    one.stop()
    #expect(try other.beat(clock: 2000) == .led([]))
    #expect(try one.beat(clock: 4000) == .follows)
  }

  @Test func `a rollout that nobody has signed is paused, and the log says so`() throws {
    let state = RolloutState(rollout: String(repeating: "0", count: 64), phase: .rolling, epoch: 1)
    try backend.put(keys.key(.state), DocumentCoder.encode(state))
    let leader = controller("one")
    guard case .led(let lines) = try leader.beat(clock: 0) else {
      Issue.record("it does not lead")
      return
    }
    #expect(lines.count == 1)
    let entry = try #require(try backend.get(keys.key(.state)))
    let after = try DocumentCoder.decode(RolloutState.self, from: entry.value, named: "state")
    #expect(after.phase == .paused)
    #expect(after.epoch == 2)
    #expect(after.by == "one")
    let log = try DecisionLog(backend: backend, keys: keys).newest(10)
    #expect(log.map(\.event) == ["paused"])
    #expect(try leader.beat(clock: 2000) == .led([]))
  }

  @Test func `a change that the history does not take is not made`() throws {
    let state = RolloutState(rollout: String(repeating: "0", count: 64), phase: .rolling, epoch: 1)
    try backend.put(keys.key(.state), DocumentCoder.encode(state))
    let leader = controller("one")
    // A file where the history's folder would be.
    let path = folder.path + "/" + keys.key(.log("")).split(separator: "/").joined(separator: "/")
    try Data().write(to: URL(filePath: path))
    #expect(throws: FleetError.self) { try leader.beat(clock: 0) }
    let entry = try #require(try backend.get(keys.key(.state)))
    #expect(entry.value == DocumentCoder.encode(state))
    try FileManager.default.removeItem(atPath: path)
    #expect(try leader.beat(clock: 2000).hasChanged)
    #expect(try DecisionLog(backend: backend, keys: keys).newest(10).map(\.event) == ["paused"])
  }

  @Test func `a leader whose lead was taken away follows`() throws {
    let leader = controller("one")
    #expect(try leader.beat(clock: 0) == .led([]))
    try backend.put(keys.key(.controller), DocumentCoder.encode(ControllerLead(name: "thief")))
    #expect(try leader.beat(clock: 2000) == .follows)
  }

  @Test func `the log is read newest first, without what is none`() throws {
    let log = DecisionLog(backend: backend, keys: keys)
    for second in 1...3 {
      try log.append(
        FleetLogEntry(
          "stage", by: "c", why: "\(second)",
          at: Timestamp(secondsSince1970: 1_800_000_000 + second)))
    }
    try backend.put(keys.key(.log("2026-noise")), Array("no entry".utf8))
    #expect(try log.newest(2).map(\.why) == ["3", "2"])
    #expect(try log.newest(9).count == 3)
  }
}
