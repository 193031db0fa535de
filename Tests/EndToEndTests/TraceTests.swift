// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Calls of a daemon's functions, seen from outside.
@Suite struct TraceTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
  }

  /// Starts to trace; returns once the daemon does.
  private func trace(_ arguments: String...) throws -> RunningProcess {
    try stage.watch(["trace"] + arguments)
  }

  private func deposit(_ amount: Int) throws {
    _ = try stage.transcript(
      #"POST /accounts/1001/deposit {"amount":\#(amount),"memo":"rent"}"#)
  }

  /// What the daemon has to be at after each trace, however it ended.
  private func expectBaseline() throws {
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
    try expectContains(stage.waxwing(["list"]), "no patches")
  }

  @Test func `calls are shown with arguments, results and errors`() throws {
    let process = try trace("bankd.Bank.")
    try deposit(500)
    _ = try stage.transcript("GET /accounts/7")
    process.send(signal: SIGTERM)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    let first = try #require(lines.first { $0.contains("Bank.deposit") })
    #expect(first.contains(#/^\d\d:\d\d:\d\d\.\d{3}  #\d+  \d+\.\d{3} ms +bankd\.Bank\.deposit/#))
    #expect(first.contains(#"(500, 1001, "rent")  on bankd.Bank@0x"#))
    #expect(first.hasSuffix("  = 500"))
    #expect(lines.contains { $0.contains("  ! ") })
    try expectBaseline()
  }

  @Test func `a type with a case that is called as a part of types in Lua is traced and recorded`()
    throws
  {
    let process = try trace("bankd.HTTPMethod", "-n", "1")
    try deposit(5)
    try expectEqual(process.waitForExit(), .exited(0))
    expectContains(process.standardOutput, #"bankd.HTTPMethod.init(_:)  ("POST")"#)
    try expectBaseline()
    let recorder = try stage.watch(["record", "bankd.HTTPMethod", "-n", "1"])
    try deposit(5)
    try expectEqual(recorder.waitForExit(), .exited(0))
    expectContains(recorder.standardOutput, #"bankd.HTTPMethod.init(_:)  ("POST")"#)
  }

  @Test(arguments: [
    "(function() while true do end end)()",
    "error(setmetatable({}, {__tostring = function() while true do end end}))",
  ])
  func `an expression that loops is shown with the calls, and is no error of theirs`(
    loop: String
  ) throws {
    for option in ["--where", "--show"] {
      let process = try trace("bankd.Account.deposit", "-n", "7", option, loop)
      for _ in 1...6 { try deposit(5) }
      try expectEqual(
        stage.waxwing(["list"]).split(separator: "\n").last { $0.contains("Account.deposit") }?
          .split(separator: " ").suffix(2).joined(separator: " "), "6 0")
      try deposit(5)
      try expectEqual(process.waitForExit(), .exited(0))
      let lines = process.standardOutput.split(separator: "\n")
      expectEqual(lines.count, 7)
      #expect(lines.allSatisfy { $0.contains("  -- ") && $0.contains("\(option) failed") })
    }
    try expectBaseline()
  }

  @Test func `calls are chosen and measured by expressions`() throws {
    let process = try trace(
      "bankd.Account.deposit", "-n", "1", "--where", "args[1] > 100", "--show",
      "self.owner .. ' ' .. (cost < 60 and 'soon' or 'late') -- a comment")
    try deposit(5)
    try deposit(500)
    try expectEqual(process.waitForExit(), .exited(0))
    expectContains(process.standardOutput, "(500, ")
    #expect(process.standardOutput.hasSuffix(#"  -- "Ada soon""# + "\n"))
    let wrong = try stage.waxwing(["trace", "bankd.Account.deposit", "--where", "args["])
    expectContains(wrong, "'--where args[' is no Lua expression: unexpected symbol near <eof>")
    #expect(wrong.hasSuffix("exited(2)"))
    let long = try stage.waxwing([
      "trace", "bankd.Account.deposit", "--where", String(repeating: "args[1] + ", count: 10_000),
    ])
    expectContains(long, "args[1] +…' is no Lua expression: unexpected symbol")
    #expect(long.utf8.count < 400)
    try expectBaseline()
  }

  @Test func `it ends when nobody reads what it prints`() throws {
    let command = try stage.tool(["trace", "bankd.Account.deposit"])
    let piped = Command(
      "/bin/sh",
      ["-c", "exec 3>&2; \"$0\" \"$@\" 2>&3 | true", command.executable] + command.arguments,
      environment: command.environment)
    let process = try piped.start()
    process.waitUntilItWatches()
    try deposit(5)
    try expectEqual(process.waitForExit(), .exited(0))
    try expectBaseline()
  }

  @Test func `calls inside of others are indented, and left out by depth`() throws {
    let process = try trace("deposit", "-n", "2")
    try deposit(500)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    try #expect(#require(lines.first).contains(" ms    bankd.Account.deposit"))
    try #expect(#require(lines.last).contains(" ms  bankd.Bank.deposit"))
    let outer = try trace("deposit", "-n", "1", "--depth", "1")
    try deposit(500)
    try expectEqual(outer.waitForExit(), .exited(0))
    expectContains(outer.standardOutput, "bankd.Bank.deposit")
  }

  @Test func `a tree has calls with those that they made, and a file has the flames`() throws {
    let process = try trace("deposit", "--tree", "-n", "1", "--output", "calls.svg")
    try deposit(500)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    try #require(lines.count == 3, "\(process.standardOutput)")
    #expect(lines[at: 0].contains(#/^\d\d:\d\d:\d\d\.\d{3}  #\d+$/#))
    #expect(lines[at: 1].contains(#/^ *[\d.]+ ms  own +[\d.]+ ms  bankd\.Bank\.deposit/#))
    #expect(lines[at: 2].contains(#/^ *[\d.]+ ms  own +[\d.]+ ms    bankd\.Account\.deposit/#))
    let picture = try String(contentsOfFile: "\(stage.folder)/calls.svg", encoding: .utf8)
    expectContains(picture, "<title>bankd.Account.deposit(_:memo:): 1 call, ")
    try expectBaseline()
  }

  @Test func `the functions that led to a call are named, of async ones those that wait`() throws {
    let process = try trace("bankd.Account.deposit", "-n", "1", "--stack")
    try deposit(500)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    try #require(lines.count > 3, "\(process.standardOutput)")
    #expect(lines[at: 0].contains("bankd.Account.deposit(_:memo:)  (500,"))
    expectEqual(lines[at: 1], "    from bankd.Bank.deposit(_:into:memo:)")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    from ") })
    #expect(lines.contains { $0.hasPrefix("    from bankd.BankAPI.") })

    struct Call: Decodable { let callers: [String] }
    let waiting = try trace("bankd.BankAPI.feedView", "-n", "1", "--stack", "--json")
    _ = try stage.transcript("GET /feed")
    try expectEqual(waiting.waitForExit(), .exited(0))
    let call = try JSONDecoder().decode(Call.self, from: Data(waiting.standardOutput.utf8))
    #expect(call.callers.contains { $0.hasPrefix("bankd.") }, "\(call.callers)")
    let tree = try stage.waxwing(["trace", "bankd.", "--stack", "--tree"])
    #expect(tree.contains("leave out --tree") && tree.hasSuffix("exited(2)"))
    try expectBaseline()
  }

  @Test func `a summary counts calls, and an interrupt ends it in good order`() throws {
    let process = try trace("bankd.Account.deposit", "--summary", "--every", "3600")
    for _ in 1...7 { try deposit(1) }
    process.send(signal: SIGINT)
    try expectEqual(process.waitForExit(), .exited(0))
    let lines = process.standardOutput.split(separator: "\n")
    #expect(lines.first?.contains("FUNCTION") == true)
    #expect(lines.last?.contains(#/^bankd\.Account\.deposit\(_:memo:\) +7 +0 +[\d.]+ ms/#) == true)
    try expectBaseline()
  }

  @Test func `documents and files of calls can be read by programs`() throws {
    struct Call: Decodable {
      let function, arguments, result: String
      let milliseconds: Double
    }
    struct Event: Decodable {
      let name, ph: String
      let ts, dur: Double
    }
    let process = try stage.tool(
      ["trace", "bankd.Account.deposit", "-n", "2", "--json", "--output", "calls.json"]
    ).start()
    try waitUntil("trace-1", seen: (try stage.waxwing(["list"]), process.standardError)) {
      try stage.waxwing(["list"]).contains("trace-1")
    }
    try deposit(500)
    try deposit(600)
    try expectEqual(process.waitForExit(), .exited(0))
    let calls = try process.standardOutput.split(separator: "\n").map {
      try JSONDecoder().decode(Call.self, from: Data($0.utf8))
    }
    expectEqual(calls.map(\.result), ["500", "1100"])
    #expect(calls.allSatisfy { $0.milliseconds > 0 })
    let file = try Data(contentsOf: URL(fileURLWithPath: "\(stage.folder)/calls.json"))
    let events = try JSONDecoder().decode([Event].self, from: file)
    expectEqual(events.map(\.name), calls.map(\.function))
    #expect(events.allSatisfy { $0.ph == "X" && $0.dur > 0 && $0.ts > 1.6e15 })
  }

  @Test func `restoring ends a trace, and the trace says so`() throws {
    let process = try trace("bankd.Account.deposit")
    _ = try stage.waxwing(["restore"])
    try expectEqual(process.waitForExit(), .exited(3))
    expectContains(process.standardError, "trace-1 has ended")
    try expectBaseline()
  }

  @Test func `what cannot be traced is said`() throws {
    let nothing = try stage.waxwing(["trace", "Nowhere.nothing"])
    expectContains(nothing, "no function that can be overridden matches `Nowhere.nothing`")
    #expect(nothing.hasSuffix("exited(3)"))
    try expectContains(
      stage.waxwing(["trace", "Account", "--summary", "--sample", "10%"]),
      "'--sample' is about single calls")
    try expectContains(stage.waxwing(["trace", "Account", "--sample", "0"]), "needs a percentage")
  }
}
