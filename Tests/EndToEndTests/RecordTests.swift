// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Calls of a daemon that are kept and made again, and its objects, seen from outside.
@Suite struct RecordTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
  }

  /// Starts to record; returns once the daemon does.
  private func record(_ arguments: String...) throws -> RunningProcess {
    try stage.watch(["record"] + arguments)
  }

  private func account(_ verb: String, _ amount: Int) throws -> String {
    try stage.transcript(#"POST /accounts/1001/\#(verb) {"amount":\#(amount),"memo":"rent"}"#)
  }

  private func balance() throws -> String {
    let answer = try stage.transcript("GET /accounts/1001")
    return String(try #require(answer.firstMatch(of: #/"balance":(-?\d+)/#)).1)
  }

  private func expectBaseline() throws {
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
    try expectContains(stage.waxwing(["list"]), "no patches")
  }

  @Test func `a condition that loops keeps the calls, and is no error of theirs`() throws {
    let process = try record(
      "bankd.Account.deposit", "-n", "7", "--where", "(function() while true do end end)()")
    for _ in 1...6 { _ = try account("deposit", 5) }
    let list = try stage.waxwing(["list"])
    #expect(!list.contains("errors in") && !list.contains("switched off"), "\(list)")
    _ = try account("deposit", 5)
    try expectEqual(process.waitForExit(), .exited(0))
    try expectContains(stage.waxwing(["replay", "7"]), "recorded  = 35")
    try expectEqual(balance(), "40")
    _ = try stage.waxwing(["replay", "--end"])
    try expectBaseline()
  }

  @Test func `a record without calls leaves nothing, and one that is full no override`() throws {
    let nothing = try record("bankd.Account.withdraw", "--duration", "1s")
    try expectEqual(nothing.waitForExit(), .exited(0))
    try expectBaseline()
    _ = try account("deposit", 100)
    let full = try record("bankd.Account.withdraw", "-n", "1")
    _ = try account("withdraw", 5)
    try expectEqual(full.waitForExit(), .exited(0))
    try expectContains(
      stage.waxwing(["explain", "bankd.Account.withdraw(_:memo:)"]), "is not overridden")
    try expectContains(stage.waxwing(["replay", "1"]), "= true")
    try expectEqual(balance(), "90")
    let other = try stage.waxwing(["record", "bankd.Account.deposit", "--duration", "1s"])
    expectContains(other, "record-2 keeps calls already")
    _ = try stage.waxwing(["replay", "--end"])
    try expectBaseline()
  }

  @Test func `a call is made again, as the program is and through a patch on trial`() throws {
    _ = try account("deposit", 100)
    let process = try record("bankd.Account.withdraw", "-n", "2")
    _ = try account("withdraw", 70)
    _ = try account("withdraw", 20)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    try #expect(
      #require(lines.first).contains(
        #/^ +1  \d\d:\d\d:\d\d\.\d{3}  [\d.]+ ms  bankd\.Account\.withdraw\(_:memo:\)  \(70, "rent"\)  on /#
      ))
    #expect(lines.last?.hasSuffix("  = true") == true)
    // From here on nothing is kept.
    _ = try account("withdraw", 1)
    try expectEqual(stage.waxwing(["replay"]).split(separator: "\n").count, 2)
    try expectEqual(balance(), "9")

    try stage.write(
      """
      patch { name = "overdraft", version = 2 }
      function Account:withdraw(amount, memo)
        if amount > self.balance then return false end
        return self:ORIGwithdraw(amount, memo)
      end
      """, to: "overdraft.lua")
    let patched = try stage.waxwing(["replay", "1", "--patch", "overdraft.lua"])
    #expect(
      patched.contains(#/recorded  = true  [\d.]+ ms\n +patched   = false  [\d.]+ ms  differs/#))
    #expect(patched.hasSuffix("exited(1)"))
    try expectEqual(balance(), "9")
    let now = try stage.waxwing(["replay", "1"])
    #expect(now.contains(#/now       = true  [\d.]+ ms$/#))
    try expectEqual(balance(), "-61")
    #expect(try !stage.waxwing(["list"]).contains("overdraft-replay"))
    try expectContains(stage.waxwing(["replay", "--end"]), "2 calls of record-1 forgotten")
    try expectBaseline()
  }

  @Test func `errors, static functions and patches that do not meet the call`() throws {
    let process = try record("bankd.Bank.", "-n", "3", "--where", "error or args[1] == 5")
    _ = try stage.transcript("GET /accounts/7")
    _ = try account("deposit", 5)
    try expectEqual(process.waitForExit(), .exited(0))
    let answer = try stage.waxwing(["replay", "1"])
    #expect(
      answer.contains("recorded  ! noSuchAccount(7)")
        && answer.contains("now       ! noSuchAccount(7)"))
    let all = try stage.waxwing(["replay"])
    let number = try #require(
      all.firstMatch(of: #/(\d)  \S+  [\d.]+ ms  bankd\.Bank\.check\(_:\)  \(5\)/#)?.1)
    #expect(try !stage.waxwing(["replay", String(number)]).contains("differs"))
    try stage.write("function Account:deposit() return 1 end", to: "other.lua")
    let other = try stage.waxwing(["replay", "1", "--patch", "other.lua"])
    expectContains(other, "did not come to any override of other-replay")
    try expectContains(stage.waxwing(["replay", "9"]), "there is no call 9: there are 1 to 3")
    try expectContains(stage.waxwing(["record", "bankd.Bank."]), "record-1 keeps calls already")
    _ = try stage.waxwing(["restore"])
    try expectContains(stage.waxwing(["replay", "1"]), "no calls are kept")
    try expectBaseline()
  }

  @Test func `calls with objects that are gone, and initializers, are not made again`() throws {
    for (pattern, refusal) in [
      ("bankd.Socket.isReady", "is dead: record without --weak"),
      ("bankd.HTTPResponse.init(_:json:", "an initializer cannot be run again"),
    ] {
      let process = try record(pattern, "--weak", "-n", "1")
      _ = try stage.transcript("GET /accounts/1001")
      try expectEqual(process.waitForExit(), .exited(0))
      _ = try stage.waxwing(["objects"])  // what Lua has dropped is let go
      let answer = try stage.waxwing(["replay", "1"])
      expectContains(answer, refusal)
      _ = try stage.waxwing(["replay", "--end"])
    }
    try expectBaseline()
  }

  @Test func `an async call is made again, but not through a patch`() throws {
    let process = try record("bankd.BankAPI.feedView", "-n", "1")
    _ = try stage.transcript("GET /feed")
    try expectEqual(process.waitForExit(), .exited(0))
    let answer = try stage.waxwing(["replay", "1"])
    expectContains(answer, "now       = bankd.HTTPResponse(")
    try stage.write("function BankAPI:feedView() return original(self) end", to: "feed.lua")
    try expectContains(
      stage.waxwing(["replay", "1", "--patch", "feed.lua"]),
      "calls of async functions cannot be made again through a patch")
    _ = try stage.waxwing(["restore"])
  }

  @Test func `a call of an actor's method is made again on the actor, but not through a patch`()
    throws
  {
    _ = try stage.transcript(#"POST /accounts {"owner":"Bob"}"#)
    _ = try account("deposit", 100)
    let process = try record("bankd.Ledger.transfer", "-n", "1")
    _ = try stage.transcript(#"POST /transfers {"from":1001,"to":1002,"amount":10}"#)
    try expectEqual(process.waitForExit(), .exited(0))
    // With a fee of 25.
    try expectEqual(balance(), "65")
    try expectContains(stage.waxwing(["replay", "1"]), "now       = bankd.TransferReceipt(")
    try expectEqual(balance(), "30")
    try stage.write(
      "local L = class 'bankd.Ledger' function L:transfer(...) return original(self, ...) end",
      to: "ledger.lua")
    try expectContains(
      stage.waxwing(["replay", "1", "--patch", "ledger.lua"]),
      "calls of an actor's methods cannot be made again through a patch")
    try expectEqual(balance(), "30")
    _ = try stage.waxwing(["replay", "--end"])
    try expectBaseline()
  }

  @Test func `living objects of a class are shown, and not kept alive`() throws {
    try expectContains(stage.waxwing(["instances", "Account"]), "from now on; ask again")
    _ = try stage.transcript(
      """
      POST /accounts {"owner":"Bob"}
      POST /accounts {"owner":"Cyd","kind":"savings"}
      """)
    let all = try stage.waxwing(["instances", "bankd.Account"])
    #expect(
      all.contains(#/bankd\.Account@0x[0-9a-f]+\(id: 1002, owner: "Bob", .*, …\)\n/#)
        && all.contains("SavingsAccount@"))
    #expect(!all.contains("balance"), "\(all)")
    try expectContains(
      stage.waxwing(["instances", "bankd.Account", "--fields"]), "balance: 0, nickname: nil")
    expectContains(all, "2 living of")
    try expectContains(
      stage.waxwing(["instances", "Account", "--where", "true"]),
      "notes objects of bankd.Account without a condition")
    try expectContains(stage.waxwing(["instances", "Account", "--end"]), "ended instances-1")
    _ = try stage.waxwing(["instances", "Account", "--where", "self.owner == 'Dan'"])
    for owner in ["Dan", "Eve"] {
      _ = try stage.transcript(#"POST /accounts {"owner":"\#(owner)"}"#)
    }
    let some = try stage.waxwing(["instances", "Account", "--where", "self.owner == 'Dan'"])
    #expect(some.contains("Dan") && !some.contains("Eve") && some.contains("2 living of"))
    let process = try stage.tool(["instances", "HTTPConnection", "--duration", "4s", "--json"])
      .start()
    try waitUntil(
      "the patch that counts", seen: (try stage.waxwing(["list"]), process.standardError)
    ) { try stage.waxwing(["list"]).contains("HTTPConnection") || !process.isRunning }
    _ = try stage.transcript("GET /accounts/1001")
    try expectEqual(process.waitForExit(), .exited(0))
    struct Report: Decodable { let made, living: Int }
    let report = try JSONDecoder().decode(Report.self, from: Data(process.standardOutput.utf8))
    #expect(report.made >= 1 && report.living == 0)
    try expectContains(
      stage.waxwing(["instances", "Acount"]), "no class `Acount` has initializers")
    _ = try stage.waxwing(["restore"])
    try expectBaseline()
  }
}
