// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Patches that run beside a daemon, seen from outside.
@Suite struct ShadowTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
  }

  /// Starts a shadow; returns once the daemon has it.
  private func shadow(_ patch: String, _ arguments: String...) throws -> RunningProcess {
    try stage.write(patch, to: "tried.lua")
    return try stage.watch(["shadow", "tried.lua"] + arguments)
  }

  private func deposit(_ amount: Int) throws -> String {
    try stage.transcript(#"POST /accounts/1001/deposit {"amount":\#(amount),"memo":"rent"}"#)
  }

  /// What the daemon has to be at after each, however it ended.
  private func expectBaseline() throws {
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
    try expectContains(stage.waxwing(["list"]), "no patches")
  }

  /// The columns of the table's line about a function.
  private func counts(_ process: RunningProcess, _ function: String) throws -> [String] {
    let line = process.standardOutput.split(separator: "\n").last { $0.hasPrefix(function) }
    return try #require(line, "\(process.standardOutput)\(process.standardError)")
      .split(separator: " ").prefix(6).map(String.init)
  }

  @Test func `calls are compared and shown whatever characters their arguments have`() throws {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo) return 7 end
      """, "-n", "1")
    _ = try stage.transcript(
      #"POST /accounts/1001/deposit {"amount":5,"memo":"a\u001eb\u001fc"}"#)
    try expectEqual(process.waitForExit(), .exited(1))
    expectContains(process.standardOutput, #"bankd.Account.deposit  (5, "a b c")"#)
    try expectEqual(
      counts(process, "bankd.Account.deposit").dropFirst(1).prefix(3), ["1", "0", "1"])
    try expectBaseline()
  }

  @Test func `the program gets the original's results, and differences are shown`() throws {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        if amount > 100 then return 7 end
        return self:ORIGdeposit(amount, memo)
      end
      """, "-n", "3")
    try expectContains(deposit(5), #""balance":5,"#)
    try expectContains(stage.waxwing(["list"]), "tried-shadow")
    try expectContains(deposit(500), #""balance":505,"#)
    try expectContains(deposit(1), #""balance":506,"#)
    try expectEqual(process.waitForExit(), .exited(1))
    let lines = process.standardOutput.split(separator: "\n")
    #expect(
      lines[at: 0].contains(
        #/^\d\d:\d\d:\d\d\.\d{3}  bankd\.Account\.deposit  \(500, "rent"\)  on bankd/#))
    #expect(lines[at: 1].contains(#/^  original  = 505  [\d.]+ ms$/#))
    #expect(lines[at: 2].contains(#/^  patch     = 7  [\d.]+ ms$/#))
    try expectEqual(
      counts(process, "bankd.Account.deposit"), ["bankd.Account.deposit", "3", "2", "1", "0", "0"])
    try expectBaseline()
  }

  @Test func `errors are compared, the program's and the patch's`() throws {
    let process = try shadow(
      """
      local Bank = class "bankd.Bank"
      function Bank:account(id)
        if id == 7 then return original(self, id) end
        if id == 8 then throw "there is none" end
        return nil + id
      end
      """, "-n", "3", "--json")
    for id in [7, 8, 1001] { _ = try stage.transcript("GET /accounts/\(id)") }
    try expectEqual(process.waitForExit(), .exited(1))
    struct Line: Decodable {
      struct Outcome: Decodable { let result, error: String? }
      struct Function: Decodable { let calls, same, different, notCompared: Int }
      let arguments: String?
      let original, patch: Outcome?
      let functions: [Function]?
    }
    let lines = try process.standardOutput.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    expectEqual(lines.map(\.arguments), ["8", "1001", nil])
    let (first, second) = (try #require(lines.first), try #require(lines.dropFirst().first))
    #expect(first.original?.error?.isEmpty == false)
    let thrown = first.patch?.error ?? ""
    expectContains(thrown, "there is none")
    let (result, fault) = (second.original?.result ?? "", second.patch?.error ?? "")
    expectContains(result, "Ada")
    expectContains(fault, "attempt to perform arithmetic on a nil value")
    let total = try #require(lines.dropFirst(2).first?.functions?.first)
    #expect(total.calls == 3 && total.same == 1)
    #expect(total.different == 2 && total.notCompared == 0)
    try expectBaseline()
  }

  @Test func `what would change something is refused, and the call is not compared`() throws {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        if amount == 1 then self:withdraw(1, memo) end
        if amount == 2 then self.title = "mine" end
        if amount == 3 then original(self, 300, memo) end
        if amount == 4 then original(self, amount, memo) end
        if amount == 5 then self:ORIGwithdraw(amount, memo) end
        if amount == 6 then Account:open(Account.kind, 1, "Bob", nil) end
        return original(self, amount, memo)
      end
      """, "-n", "7")
    for amount in 1...7 { _ = try deposit(amount) }
    try expectEqual(process.waitForExit(), .exited(0))
    let account = try stage.transcript("GET /accounts/1001")
    #expect(account.contains(#""balance":28,"#) && account.contains("Ada's checking account"))
    let reasons = process.standardOutput.split(separator: "\n")
      .filter { $0.hasPrefix("  not compared: ") }.map { $0.dropFirst(16) }
    expectEqual(
      reasons.prefix(5),
      [
        "it would call bankd.Account.withdraw(_:memo:)", "it would call bankd.Account.title",
        "it would call the original with other arguments", "it would call the original once more",
        "it would call withdraw",
      ])
    try expectEqual(counts(process, "bankd.Account.deposit").dropFirst(2).first, "1")
    try expectBaseline()
  }

  @Test func `what is refused is not the same, though the script catches the error`() throws {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        if amount == 1 then pcall(function() self.title = "q" end) end
        if amount == 2 then xpcall(self.withdraw, print, self, 1, memo) end
        if amount == 3 then pcall(original, self, 300, memo) end
        if amount == 4 then coroutine.wrap(function() pcall(self.withdraw, self, 1, memo) end)() end
        return self:ORIGdeposit(amount, memo)
      end
      """, "-n", "5")
    for amount in 1...5 { _ = try deposit(amount) }
    try expectEqual(process.waitForExit(), .exited(0))
    let reasons = process.standardOutput.split(separator: "\n")
      .filter { $0.hasPrefix("  not compared: ") }.map { $0.dropFirst(16) }
    expectEqual(
      reasons,
      [
        "it would call bankd.Account.title", "it would call bankd.Account.withdraw(_:memo:)",
        "it would call the original with other arguments",
        "it would call bankd.Account.withdraw(_:memo:)",
      ])
    try expectEqual(
      counts(process, "bankd.Account.deposit"), ["bankd.Account.deposit", "5", "1", "0", "0", "4"])
    try expectBaseline()
  }

  @Test func `calls in which a limit stops the patch are counted, each with a budget of its own`()
    throws
  {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      local kept = {}
      function Account:deposit(amount, memo)
        if amount == 1 then while true do end end
        if amount == 2 then pcall(function() while true do end end) end
        if amount == 3 then
          original(self, amount, memo)
          coroutine.wrap(function() while true do end end)()
        end
        if amount == 4 then
          local all = {}
          while true do all[#all + 1] = string.rep("x", 4096) .. #all end
        end
        if amount == 5 then
          while true do kept[#kept + 1] = string.rep("x", 4096) .. #kept end
        end
        return self:ORIGdeposit(amount, memo)
      end
      """, "-n", "6")
    for amount in [1, 2, 3, 4, 6, 5] { _ = try deposit(amount) }
    try expectEqual(process.waitForExit(), .exited(1))
    let failures = process.standardOutput.split(separator: "\n")
      .filter { $0.hasPrefix("  patch     ! ") && $0.contains("`limits.") }
    expectEqual(failures.count, 5)
    try expectEqual(
      counts(process, "bankd.Account.deposit"), ["bankd.Account.deposit", "6", "1", "0", "5", "0"])
    let account = try stage.transcript("GET /accounts/1001")
    expectContains(account, #""balance":21,"#)
    try expectBaseline()
  }

  @Test func `with --effects the patch does what it does, and the original runs once more`() throws
  {
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        self:withdraw(amount, "twice")
        return original(self, amount, memo)
      end
      """, "-n", "1", "--effects")
    try expectContains(deposit(5), #""balance":0,"#)
    try expectEqual(process.waitForExit(), .exited(0))
    try expectEqual(
      counts(process, "bankd.Account.deposit"), ["bankd.Account.deposit", "1", "1", "0", "0", "0"])
    try expectBaseline()
  }

  @Test func `what the patch changes in its tables is not what the program gets`() throws {
    _ = try deposit(5)
    let process = try shadow(
      """
      local Account = class "bankd.Account"
      function Account:recentMemos(limit)
        local memos = original(self, limit)
        memos[1] = "changed"
        return memos
      end
      function Account:totals()
        local totals = self:ORIGtotals()
        totals.deposit = nil
        return totals
      end
      """, "-n", "2")
    let statement = try stage.transcript("GET /accounts/1001/statement")
    #expect(statement.contains(#""recentMemos":["rent"]"#) && statement.contains(#""deposit":5"#))
    try expectEqual(process.waitForExit(), .exited(1))
    expectContains(process.standardOutput, #"  patch     = ["changed"]"#)
    try expectEqual(counts(process, "bankd.Account.totals")[3], "1")
    try expectBaseline()
  }

  @Test func `a shadow that changes nothing differs in nothing, in all functions`() throws {
    let program = try BuiltProduct("bankd").path
    let patch = try stage.tool(["points", program, "--patch"]).run()
    expectSuccess(patch)
    let process = try shadow(patch.standardOutput, "--duration", "1h")
    _ = try deposit(5)
    _ = try stage.transcript(
      """
      POST /accounts {"owner":"Bob"}
      POST /transfers {"from":1001,"to":1002,"amount":1}
      POST /accounts/1001/withdraw {"amount":500000000,"memo":"much"}
      GET /accounts/1001/statement
      GET /accounts/7
      GET /feed
      """)
    process.send(signal: SIGTERM)
    try expectEqual(process.waitForExit(), .exited(0))
    let rows = process.standardOutput.split(separator: "\n").dropFirst()
    #expect(rows.count > 50, "\(process.standardOutput)\(process.standardError)")
    for row in rows {
      let cells = row.split(separator: " ")
      #expect(cells[at: 1] == cells[at: 2] && cells[3...5].allSatisfy { $0 == "0" }, "\(row)")
    }
  }

  @Test func `calls for which a condition loops are not compared, and go on`() throws {
    let process = try shadow(
      "function Account:deposit(amount) return 1 end", "-n", "1", "--when",
      "(function() while true do end end)()")
    try expectContains(deposit(7), #""balance":7"#)
    try expectEqual(process.waitForExit(), .exited(0))
    expectContains(process.standardOutput, "--when failed: ")
    try expectBaseline()
  }

  @Test func `what a shadow cannot have is refused, and what it is not told to compare is not`()
    throws
  {
    try stage.write("Account:before('deposit', function() end)", to: "advice.lua")
    let refused = try stage.waxwing(["shadow", "advice.lua"])
    #expect(refused.contains("advice is there for all calls") && refused.hasSuffix("exited(3)"))
    let parallel = "patch { name = 'several', parallel = true }"
    try stage.write(parallel, to: "several.lua")
    try expectContains(
      stage.waxwing(["shadow", "several.lua"]), "`parallel` patch cannot be a shadow")
    let process = try shadow(
      "function Account:deposit(amount) return 1 end", "-n", "1", "--when", "args[1] == 7")
    _ = try deposit(5)
    _ = try deposit(7)
    try expectEqual(process.waitForExit(), .exited(1))
    #expect(process.standardOutput.contains("(7, ") && !process.standardOutput.contains("(5, "))
    try expectBaseline()
  }
}
