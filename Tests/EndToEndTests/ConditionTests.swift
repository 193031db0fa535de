// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Two operators, and versions.
@Suite struct ConditionTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    for (file, version, fee) in [("one", 1, 7), ("other", 1, 8), ("two", 2, 9), ("none", 0, 10)] {
      let manifest = version == 0 ? "name = \"fees\"" : "name = \"fees\", version = \(version)"
      try stage.write(
        "patch { \(manifest) }\nlocal F = class 'bankd.FeeSchedule'\n"
          + "function F:fee(amount) return \(fee) end", to: "\(file).lua")
    }
  }

  private func current() throws -> String {
    let status = try stage.tool(["status"]).run().standardOutput
    let match = try #require(status.firstMatch(of: #/current: ([0-9a-f]{8}-\d+)/#))
    return String(match.1)
  }

  @Test func `what has changed since somebody looked is not overwritten`() throws {
    let seen = try current()
    try expectContains(stage.waxwing(["list", "--json"]), "\"current\" : \"\(seen)\"")
    try expectContains(stage.waxwing(["apply", "one.lua", "--if-current", seen]), "applied fees")
    let late = try stage.waxwing(["apply", "two.lua", "--if-current", seen])
    expectContains(late, "the live patches have changed: they are at \(try current())")
    #expect(late.hasSuffix("exited(4)"), "\(late)")
    try expectContains(
      stage.waxwing(["apply", "two.lua", "--if-current", try current()]), "in place of version 1")
    let before = try current()
    _ = try stage.waxwing(["revert", "fees"])
    #expect(try current() != before)
    _ = try stage.waxwing(["apply", "one.lua"])
    let live = try current()
    _ = try stage.waxwing(["restore"])
    #expect(try current() != live)
  }

  @Test func `a newer version gives way only if somebody says so`() throws {
    _ = try stage.waxwing(["apply", "one.lua"])
    let other = try stage.waxwing(["apply", "other.lua"])
    expectContains(other, "`fees` version 1 is live already, with other content")
    #expect(other.hasSuffix("exited(4)"))
    try expectContains(stage.waxwing(["apply", "one.lua"]), "unchanged")
    try expectContains(stage.waxwing(["apply", "other.lua", "--any-version"]), "applied fees")
    try expectContains(stage.waxwing(["apply", "two.lua"]), "applied fees")
    for arguments in [["one.lua"], ["none.lua"], ["one.lua", "--replace"]] {
      let older = try stage.waxwing(["apply"] + arguments)
      expectContains(older, "`fees` version 2 is live, and this is version ")
    }
    try expectContains(stage.waxwing(["apply", "none.lua", "--any-version"]), "applied fees")
    // Without a version nothing says which is the newer.
    try stage.write(
      "patch { name = \"fees\" }\nlocal F = class 'bankd.FeeSchedule'\n"
        + "function F:fee(amount) return 11 end", to: "none.lua")
    try expectContains(stage.waxwing(["apply", "none.lua"]), "applied fees")
  }

  @Test func `boot, the audit log and sha256sum have one hash for a patch`() throws {
    let folder = try TemporaryFolder()
    let kept = try Stage(environment: [
      "WAXWING_STATE_DIR": folder.path, "WAXWING_LOG_DIR": folder.path,
    ])
    try kept.write(
      "local F = class 'bankd.FeeSchedule'\nfunction F:fee(amount) return 1 end", to: "fees.lua")
    try expectContains(kept.waxwing(["apply", "fees.lua", "--keep"]), "applied fees")
    let sum = try Command("/usr/bin/sha256sum", ["\(kept.folder)/fees.lua"]).run()
    let hash = sum.standardOutput.prefix(12)
    try expectContains(kept.waxwing(["boot"]), "kept: fees version 0 (\(hash))")
    let store = try Command(
      try BuiltProduct("waxwing").path,
      ["store", "--program", "bankd", "--folder", folder.path]
    ).run()
    #expect(store.status == .exited(4), "\(store)")
    expectContains(store.standardError, "hint: the program is running: ask it with `waxwing boot`")
    try expectContains(kept.waxwing(["audit"]), "fees 0 (\(hash))")
  }
}
