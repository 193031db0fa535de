// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

/// Patches that take part in some calls only, seen from outside.
@Suite struct SelectionTests {
  private let stage: Stage

  private static let patch = """
    patch { name = "marked", version = 1 }
    local Account = class "bankd.Account"
    function Account:deposit(amount, memo)
      return original(self, amount, memo .. "!")
    end
    """

  init() throws {
    stage = try Stage()
    for owner in ["Ada", "Bob", "Cyd"] {
      _ = try stage.transcript(#"POST /accounts {"owner":"\#(owner)"}"#)
    }
    try stage.write(Self.patch, to: "marked.lua")
  }

  /// How many of the account's deposits went through the patch.
  private func marked(_ account: Int, after deposits: Int = 0) throws -> Int {
    for _ in 0..<deposits {
      _ = try stage.transcript(#"POST /accounts/\#(account)/deposit {"amount":1,"memo":"x"}"#)
    }
    return try stage.transcript("GET /accounts/\(account)/statement").ranges(of: "\"memo\":\"x!\"")
      .count
  }

  @Test func `a share of the calls goes through the patch`() throws {
    try expectContains(
      stage.waxwing(["apply", "marked.lua", "--calls", "50%"]), "1 override, for 50% of calls")
    // One of the two in 2 to the 39th runs.
    let count = try marked(1001, after: 40)
    #expect(count > 0 && count < 40)
    try expectContains(stage.waxwing(["list"]), "active, 50% of calls")
    let again = try stage.waxwing(["apply", "marked.lua", "--calls", "50%"])
    expectContains(again, "unchanged")
    try expectContains(stage.waxwing(["apply", "marked.lua"]), "1 override, in place of version 1")
    try expectEqual(marked(1001, after: 5), count + 5)
  }

  @Test func `a share is shown as it is, however small`() throws {
    for (share, shown) in [
      ("0.001%", "0.001% of calls"), ("0.004567%", "0.0046% of calls"), ("0.5%", "0.5% of calls"),
      ("33.333%", "33.33% of calls"), ("99.9999%", "99.9999% of calls"),
    ] {
      _ = try stage.waxwing(["apply", "marked.lua", "--calls", share])
      try expectContains(stage.waxwing(["list"]), "active, \(shown)")
    }
  }

  @Test func `calls with the same key are chosen alike, and stay chosen when the share grows`()
    throws
  {
    var chosen: Set<Int> = []
    for share in ["1%", "40%", "70%", "100%"] {
      try expectContains(
        stage.waxwing(["apply", "marked.lua", "--calls", share, "--key", "self.id"]),
        "\(share) of calls by self.id")
      for account in 1001...1003 {
        let before = try marked(account)
        let count = try marked(account, after: 6) - before
        #expect(count == 0 || count == 6)
        #expect(!chosen.contains(account) || count == 6)
        if count == 6 { chosen.insert(account) }
      }
    }
    expectEqual(chosen, [1001, 1002, 1003])
  }

  @Test func `only calls for which the expression is true go through the patch`() throws {
    try expectContains(
      stage.waxwing(["apply", "marked.lua", "--when", "self.id == 1002 and args[1] == 1"]),
      "for calls when self.id == 1002 and args[1] == 1")
    try expectEqual(marked(1001, after: 3), 0)
    try expectEqual(marked(1002, after: 3), 3)
  }

  @Test(arguments: [["--when"], ["--calls", "100%", "--key"]])
  func `an expression that fails or loops chooses no call, and is no error of the override`(
    options: [String]
  ) throws {
    let name = options.last ?? ""
    for (text, reason) in [
      ("self.nothing.there", "has no member `nothing`"),
      ("error(setmetatable({}, {}))", "table: 0x"),
      ("(function() while true do end end)()", "(`limits.instructions`); it is not asked any more"),
      (
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
        "an error that has no text"
      ),
    ] {
      _ = try stage.waxwing(["apply", "marked.lua"] + options + [text])
      try expectEqual(marked(1001, after: 7), 0)
      let list = try stage.waxwing(["list"])
      expectContains(list, "\(name) failed for 7 calls")
      #expect(!list.contains("errors in") && !list.contains("switched off"), "\(list)")
      let log = try stage.waxwing(["log"])
      expectContains(log, "\(name) failed: ")
      expectContains(log, reason)
      _ = try stage.waxwing(["restore"])
    }
  }

  @Test func `what cannot be is refused before anything is changed`() throws {
    func refusal(_ arguments: String...) throws -> String {
      try stage.waxwing(["apply", "marked.lua"] + arguments)
    }
    try expectContains(refusal("--calls", "0"), "'--calls' needs a percentage above 0")
    try expectContains(refusal("--calls", "101%"), "not '101%'")
    try expectContains(refusal("--key", "self.id"), "give --calls, too")
    try expectContains(
      refusal("--when", "self."), "'--when self.' is no Lua expression: <name> expected near <eof>")
    try expectContains(refusal("--calls", "5%", "--keep"), "is not kept")
    try expectContains(refusal("--calls", "5%", "--keep", "--dry-run"), "is not kept")
    for (text, what) in [
      ("class('bankd.Account'):after('deposit', function() end)", "advice is there for all calls"),
      ("class('Mine', 'bankd.Account')", "a class is there for all calls"),
      ("class('bankd.Account').deinit(function() end)", "is there for all calls"),
      ("conform('bankd.Account', 'Hashable')", "a conformance is there for all calls"),
    ] {
      try stage.write(text, to: "other.lua")
      let answer = try stage.waxwing(["apply", "other.lua", "--calls", "5%"])
      #expect(answer.contains(what) && answer.hasSuffix("exited(3)"), "\(answer)")
    }
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
  }
}
