// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Several processes of one program on a host.
@Suite struct InstanceTests {
  private let stage: StoredStage

  init() throws { stage = try StoredStage() }

  private func named(_ name: String) throws -> RunningProcess {
    try stage.start([], ["WAXWING_INSTANCE": name])
  }

  private func names() throws -> [String] {
    try stage.waxwing("daemons").standardOutput.split(separator: "\n").dropFirst().map {
      String($0.prefix { $0 != " " })
    }
  }

  @Test func `a second process of the program gets a socket of its own and is patched alone`()
    throws
  {
    let first = try stage.start()
    let second = try stage.start()
    try stage.expect(second, logs: "this one is named crashd@\(second.pid)")
    try expectEqual(names(), ["crashd", "crashd@\(second.pid)"])
    try stage.writeName("patched")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--program", "crashd@\(second.pid)"))
    try stage.expect(second, name: "patched")
    try expectEqual(
      stage.waxwing("list", "crashd@\(first.pid)").standardOutput,
      "crashd (pid \(first.pid)) is at baseline: no patches\n")
    let status = try stage.waxwing("status", "crashd@\(second.pid)")
    expectEqual(status.status, .exited(9))
    #expect(status.standardOutput.hasPrefix("crashd@\(second.pid) (pid \(second.pid)), engine "))
    try expectSuccess(stage.waxwing("restore", "crashd@\(second.pid)"))
    try stage.expect(second, name: "plain")
    for name in ["crashd@\(first.pid)", "crashd@\(second.pid)"] {
      try expectContains(stage.waxwing("audit", name).standardOutput, "restore")
      try expectSuccess(stage.waxwing("audit", "verify", "--program", name))
    }
  }

  @Test func `the program's name alone does not say which of several is meant`() throws {
    let first = try stage.start()
    let blue = try named("blue")
    let result = try stage.waxwing("restore", "crashd")
    expectEqual(
      result,
      CommandResult(
        status: .exited(2), standardOutput: "",
        standardError: """
          waxwing: error: 2 instances of crashd are running
            crashd (pid \(first.pid))
            crashd@blue (pid \(blue.pid))
          waxwing: hint: choose one: waxwing restore … --program crashd@\(first.pid)

          """))
    try expectSuccess(stage.waxwing("restore", "crashd@blue"))
    try expectSuccess(stage.waxwing("restore", "crashd@\(blue.pid)"))
    try stage.kill(first)
    // There is one now.
    try expectSuccess(stage.waxwing("restore", "crashd"))
    try stage.kill(blue)
    try expectEqual(stage.waxwing("restore", "crashd").status, .exited(7))
  }

  @Test func `a name that a living process has is an error that names the process`() throws {
    let blue = try named("blue")
    let result = try stage.daemon([], ["WAXWING_INSTANCE": "blue"]).run()
    expectEqual(result.status, .exited(1))
    #expect(
      result.standardOutput.hasSuffix(
        """
        crashd: process \(blue.pid) already serves \(stage.path)/crashd@blue.sock
        stop it, or start this one with another WAXWING_INSTANCE

        """))
    try stage.kill(blue)
    try stage.kill(try named("blue"))
    let bad = try stage.daemon([], ["WAXWING_INSTANCE": "a/b"]).run()
    expectContains(bad.standardOutput, "crashd: 'a/b' is not an instance's name\n")
  }

  @Test
  func `what a killed instance has left is removed by the next that listens, and by the tool`()
    throws
  {
    let first = try stage.start()
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: stage.path)
        .filter { $0.hasPrefix("crashd@") }.sorted()
    }
    try stage.kill(try stage.start())
    try expectEqual(left().count, 2)
    let third = try stage.start()
    let own = "crashd@\(third.pid).sock"
    try expectEqual(left(), [own, "\(own).lock"])
    try stage.kill(third)
    try expectEqual(names(), ["crashd"])
    try expectEqual(left(), [])
    _ = first
  }

  @Test func `a named instance keeps its own patches and its own audit log`() throws {
    try stage.writeName("blue")
    let first = try stage.start()
    let blue = try named("blue")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep", "--program", "crashd@blue"))
    try stage.kill(blue)
    try stage.kill(first)
    try stage.expect(try named("blue"), name: "blue")
    try stage.expect(try stage.start(), name: "plain")
    #expect(try stage.records("crashd@blue").contains { $0["event"] as? String == "apply" })
    #expect(try stage.records().allSatisfy { $0["event"] as? String != "apply" })
    let store = try stage.waxwing("store", "--program", "crashd@green")
    expectContains(store.standardOutput, "nothing is kept: \(stage.path)/state/crashd@green")
  }

  @Test func `a named instance has a kill switch of its own, and that of its program`() throws {
    try stage.writeName("kept")
    let blue = try named("blue")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep", "--program", "crashd@blue"))
    try stage.kill(blue)
    for file in ["disable.crashd@blue", "disable.crashd"] {
      try stage.put("", at: "configuration/\(file)")
      let disabled = try named("blue")
      try stage.expect(disabled, name: "plain")
      try stage.kill(disabled)
      expectEqual(unlink("\(stage.path)/configuration/\(file)"), 0)
    }
    try stage.put("", at: "configuration/disable.crashd@green")
    try stage.expect(try named("blue"), name: "kept")
  }

  @Test func `an instance without a name starts with what the first one keeps, and keeps nothing`()
    throws
  {
    try stage.writeName("kept")
    let first = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    let second = try stage.start()
    let name = "crashd@\(second.pid)"
    try stage.expect(second, name: "kept")
    let kept = try stage.waxwing("apply", "name.lua", "--keep", "--program", name)
    expectEqual(kept.status, .exited(4))
    expectContains(kept.standardError, "starts with what the first one keeps")
    let restored = try stage.waxwing("restore", name)
    expectEqual(restored.status, .exited(6))
    expectContains(restored.standardError, "the first instance of crashd keeps name for all")
    try stage.expect(second, name: "plain")
    try expectSuccess(stage.waxwing("restore", "crashd@\(first.pid)"))
    try expectSuccess(stage.waxwing("restore", name))
    try stage.expect(try stage.start(), name: "plain")
  }

  @Test func `the crash guard ends a patch for the instance that dies in it`() throws {
    try stage.writeName("kept")
    let first = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    for _ in 0..<3 { try stage.kill(try stage.start()) }
    let fifth = try stage.start()
    try stage.expect(fifth, name: "plain")
    try stage.expect(fifth, logs: "boot.baseline")
    try stage.expect(first, name: "kept")
    let boot = try stage.waxwing("boot", "retry", "--program", "crashd@\(fifth.pid)")
    expectSuccess(boot)
    try stage.kill(fifth)
    try stage.expect(try stage.start(), name: "kept")
  }
}
