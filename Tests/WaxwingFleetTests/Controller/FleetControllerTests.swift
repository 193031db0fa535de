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
    #expect(try one.round(clock: 0) == .led([]))
    #expect(try other.round(clock: 0) == .follows)
    #expect(try one.round(clock: 2000) == .led([]))
    one.stop()
    #expect(try other.round(clock: 2000) == .led([]))
    #expect(try one.round(clock: 4000) == .follows)
  }

  @Test func `a rollout that nobody has signed is paused, and the log says so`() throws {
    let state = RolloutState(rollout: String(repeating: "0", count: 64), phase: .rolling, epoch: 1)
    try backend.put(keys.key(.state), DocumentCoder.encode(state))
    let leader = controller("one")
    guard case .led(let lines) = try leader.round(clock: 0) else {
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
    #expect(try leader.round(clock: 2000) == .led([]))
  }

  @Test func `a change that the history does not take is not made`() throws {
    let state = RolloutState(rollout: String(repeating: "0", count: 64), phase: .rolling, epoch: 1)
    try backend.put(keys.key(.state), DocumentCoder.encode(state))
    let leader = controller("one")
    // A file where the history's folder would be.
    let path = folder.path + "/" + keys.key(.log("")).split(separator: "/").joined(separator: "/")
    try Data().write(to: URL(filePath: path))
    #expect(throws: FleetError.self) { try leader.round(clock: 0) }
    let entry = try #require(try backend.get(keys.key(.state)))
    #expect(entry.value == DocumentCoder.encode(state))
    try FileManager.default.removeItem(atPath: path)
    #expect(try leader.round(clock: 2000).hasChanged)
    #expect(try DecisionLog(backend: backend, keys: keys).newest(10).map(\.event) == ["paused"])
  }

  @Test func `a leader whose lead was taken away follows`() throws {
    let leader = controller("one")
    #expect(try leader.round(clock: 0) == .led([]))
    let lease = try backend.grantLease(seconds: 60)
    try backend.put(
      keys.key(.controller), DocumentCoder.encode(ControllerLead(name: "thief")), lease: lease)
    #expect(try leader.round(clock: 2000) == .follows)
  }

  private static let junk = [
    "", "junk", "{}", "[]", "null", "0", "\u{0}", #"{"name":7}"#,
    #"{"name":"restored","since":"2026-01-01T00:00:00Z"}"#, String(repeating: "[", count: 600),
    #"{"rollout":"r","phase":"rolling","stage":9223372036854775807,"epoch":9223372036854775807,"#
      + #""since":"2026-01-01T00:00:00Z","why":"","by":""}"#,
    #"{"rollout":"r","stage":0,"watched":9223372036854775807}"#,
  ]

  @Test(arguments: junk)
  func `junk in the lead's place is replaced and told, and the next one leads`(text: String) throws
  {
    let leader = controller("one")
    for clock in [0, 2000] {
      // Before there was a leader, and under one.
      try backend.put(keys.key(.controller), Array(text.utf8))
      guard case .led(let lines) = try leader.round(clock: clock) else {
        Issue.record("it does not lead")
        return
      }
      #expect(lines.count == 1, "\(lines)")
      #expect(lines.first?.contains("was replaced") == true, "\(lines)")
      #expect(try leader.round(clock: clock + 1) == .led([]))
      #expect(try controller("other").round(clock: 0) == .follows)
    }
    let log = try DecisionLog(backend: backend, keys: keys).newest(10)
    #expect(log.map(\.event) == ["defect", "defect"])
  }

  @Test(arguments: junk)
  func `junk in any key stops no controller, and a doctor names it`(text: String) throws {
    let id = String(repeating: "a", count: 64)
    let state = RolloutState(rollout: id, phase: .rolling, epoch: 1)
    let all: [FleetKey] = [
      .state, .halt, .controller, .progress, .stage(id), .rollout(id), .set(id), .blob(id),
      .bad(id),
      .info("n"), .report("n"), .log("x"), .other("current/other"), .other("nodes/n/other"),
    ]
    let leader = controller("one")
    for (index, key) in all.enumerated() {
      try backend.put(keys.key(.state), DocumentCoder.encode(state))
      try backend.put(keys.key(key), Array(text.utf8))
      let found = try inspection.defects.map(\.key)
      let isSeen = ![.blob(id), .other("current/other")].contains(key)
      #expect(found.contains(key) == isSeen || Self.isGood(text, for: key), "\(key): \(found)")
      guard case .led = try leader.round(clock: index * 1000) else {
        Issue.record("it does not lead with junk in \(key)")
        return
      }
      guard case .led = try leader.round(clock: index * 1000 + 1) else {
        Issue.record("it does not lead with junk in \(key)")
        return
      }
      try backend.delete(keys.key(key))
    }
  }

  /// What is no junk there.
  private static func isGood(_ text: String, for key: FleetKey) -> Bool {
    key == .stage(String(repeating: "a", count: 64)) && text.contains("references")
  }

  private var inspection: FleetInspection {
    FleetInspection(
      backend, keys,
      DocumentVerifier(signers: folder.path + "/none", revoked: folder.path + "/none"))
  }

  @Test func `a state that cannot be read is told once, and judged again when it can be`() throws {
    let leader = controller("one")
    try backend.put(keys.key(.state), Array("junk".utf8))
    guard case .led(let lines) = try leader.round(clock: 0) else {
      Issue.record("it does not lead")
      return
    }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("the rollout's state is malformed") == true)
    #expect(try leader.round(clock: 1) == .led([]))
    let state = RolloutState(rollout: String(repeating: "0", count: 64), phase: .rolling, epoch: 1)
    try backend.put(keys.key(.state), DocumentCoder.encode(state))
    #expect(try leader.round(clock: 2).hasChanged)
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
