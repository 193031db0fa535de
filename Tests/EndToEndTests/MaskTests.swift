// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Values that the operator lets nobody see, where calls are watched.
@Suite struct MaskTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.write("mask memo, NICK*, title\n", to: "bankd.conf")
    try expectContains(stage.waxwing(["config", "reload"]), "bankd.conf")
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada","nickname":"hidden name"}"#)
  }

  private func start(_ arguments: String...) throws -> RunningProcess {
    try stage.watch(arguments)
  }

  private func deposit() throws {
    _ = try stage.transcript(
      #"POST /accounts/1001/deposit {"amount":5,"memo":"hidden memo"}"#)
  }

  @Test func `arguments, results and properties with these names are masked in traces`() throws {
    let trace = try start("trace", "bankd.Account.", "-n", "3")
    try deposit()
    _ = try stage.transcript("GET /accounts/1001")
    try expectEqual(trace.waitForExit(), .exited(0))
    let text = trace.standardOutput
    expectContains(text, "bankd.Account.deposit(_:memo:)  (5, •••)  on bankd.Account@0x")
    #expect(text.contains("bankd.Account.title.get  ()") && text.contains("= •••"))
    #expect(!text.contains("hidden"), "\(text)")
  }

  @Test func `they are masked in records, shadows, lists of instances, and what patches print`()
    throws
  {
    let record = try start("record", "bankd.Account.deposit", "-n", "1")
    try deposit()
    try expectEqual(record.waitForExit(), .exited(0))
    expectContains(record.standardOutput, "(5, •••)")
    let replay = try stage.waxwing(["replay", "1"])
    expectContains(replay, "(5, •••)")

    try stage.write(
      "function Account:deposit(amount, memo) print(reveal(self)) return #memo end", to: "tried.lua"
    )
    let shadow = try start("shadow", "tried.lua", "-n", "1")
    try deposit()
    try expectEqual(shadow.waitForExit(), .exited(1))
    expectContains(shadow.standardOutput, "(5, •••)")
    let log = try stage.waxwing(["log"])
    expectContains(log, "nickname: •••")

    _ = try stage.waxwing(["instances", "Account"])
    _ = try stage.transcript(#"POST /accounts {"owner":"Bob","nickname":"hidden name"}"#)
    let instances = try stage.waxwing(["instances", "Account", "--fields"])
    #expect(instances.contains(#"owner: "Bob""#) && instances.contains("nickname: •••"))
    for text in [record.standardOutput, replay, shadow.standardOutput, log, instances] {
      #expect(!text.contains("hidden"), "\(text)")
    }
    // The program itself sees them as ever.
    try expectContains(stage.transcript("GET /accounts/1001/statement"), "hidden memo")
  }

  @Test func `what can change is shown on request, unless the policy hides it`() throws {
    let trace = try start("trace", "bankd.Account.deposit", "-n", "1", "--fields")
    try deposit()
    try expectEqual(trace.waitForExit(), .exited(0))
    expectContains(trace.standardOutput, "balance: ")
    try stage.write("fields = refuse\n", to: "bankd.conf")
    try expectContains(stage.waxwing(["config", "reload"]), "bankd.conf")
    for words in [
      ["trace", "bankd.Account."], ["record", "bankd.Account."], ["instances", "Account"],
    ] {
      let refused = try stage.waxwing(words + ["--fields"])
      expectContains(
        refused, "the program's policy hides properties that can change, so --fields is not allowed"
      )
      expectContains(refused, "`fields = allow`")
    }
    try stage.write(
      "function Account:deposit(n) log.info(select(2, pcall(reveal, self))) return original(self, n, '') end",
      to: "asks.lua")
    _ = try stage.waxwing(["apply", "asks.lua"])
    try deposit()
    try expectContains(stage.waxwing(["log"]), "reveal is not allowed here")
  }
}
