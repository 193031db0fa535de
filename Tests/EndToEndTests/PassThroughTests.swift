// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

/// A patch of overrides that only call the original changes nothing.
@Suite struct PassThroughTests {
  static let requests = #"""
    POST /accounts {"owner":"Ada"}
    POST /accounts {"owner":"Bob","kind":"savings"}
    POST /accounts/1001/deposit {"amount":10000}
    POST /accounts/1001/withdraw {"amount":15000}
    POST /accounts/1001/title {"title":"x"}
    GET /accounts
    GET /accounts/1001/statement
    GET /fees?amount=10000
    POST /transfers {"from":1001,"to":1002,"amount":5}
    GET /nowhere
    """#

  @Test func `bankd answers under pass-through of all its points as without`() throws {
    let plain = try Stage().transcript(Self.requests)
    let stage = try Stage()
    let program = try BuiltProduct("bankd").path
    let patch = try stage.tool(["points", program, "--patch"]).run()
    #expect(patch.isSuccess && patch.standardError == "")
    try stage.write(patch.standardOutput, to: "all.lua")
    let points = try stage.tool(["points", program, "--selectors"]).run().standardOutput
      .split(separator: "\n")
    #expect(!patch.standardOutput.contains("cannot be overridden"))

    let applied = try stage.waxwing(["apply", "all.lua"])
    expectContains(applied, "bankd (pid PID): \(points.count) overrides")
    try expectEqual(stage.transcript(Self.requests), plain)
    try expectContains(stage.waxwing(["status"]), " 0 errors")
    _ = try stage.waxwing(["restore", "--wait", "0"])
    #expect(try stage.bankd.ask("GET", "/health").hasPrefix("200"))
  }

  @Test func `a patch for some points is applied and taken back`() throws {
    let stage = try Stage()
    let program = try BuiltProduct("bankd").path
    let patch = try stage.tool(["points", program, "bankd.account", "--patch"]).run()
    try stage.write(patch.standardOutput, to: "account.lua")
    try expectContains(stage.waxwing(["apply", "account.lua"]), "bankd.Account.withdraw")
    _ = try stage.transcript(Self.requests)
    try expectContains(stage.waxwing(["restore"]), "0 differences")
    try expectContains(stage.waxwing(["status"]), "state: baseline, no patches")
  }

  @Test func `the points of a running program are those of its file`() throws {
    let stage = try Stage()
    let file = try stage.tool(["points", try BuiltProduct("bankd").path]).run()
    try expectEqual(stage.tool(["points", "--program", "bankd"]).run(), file)
  }
}
