// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A shell inside a daemon, seen from outside.
@Suite struct ShellTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
  }

  /// Types lines into a shell that ends when they do.
  private func type(_ text: String) throws -> CommandResult {
    try stage.write(text, to: "typed")
    return try shell().run()
  }

  /// A shell that reads the file, or pipe, `typed`.
  private func shell() throws -> Command {
    var tool = try stage.tool(["shell"])
    tool.arguments = ["-c", "exec \"$0\" shell <typed", tool.executable]
    tool.executable = "/bin/sh"
    return tool
  }

  /// Somebody at a shell.
  private final class Typist {
    let process: RunningProcess
    private let pipe: FileHandle
    private var count = 0

    init(_ shell: Command, in folder: String) throws {
      try #require(mkfifo("\(folder)/typed", 0o600) == 0)
      process = try shell.start()
      pipe = try #require(FileHandle(forWritingAtPath: "\(folder)/typed"))
      try type("1")
    }

    /// Types a piece.
    func send(_ text: String) throws { try pipe.write(contentsOf: Data("\(text)\n".utf8)) }

    /// Types a piece, and waits until it has run.
    func type(_ text: String) throws {
      count += 1
      let mark = "piece \(count) has run"
      try pipe.write(contentsOf: Data("\(text)\nprint '\(mark)'\n".utf8))
      waitUntil(mark, seen: process.standardOutput + process.standardError) {
        process.standardOutput.contains(mark) || !process.isRunning
      }
    }
  }

  private func deposit(_ amount: Int, _ memo: String = "rent") throws -> String {
    try stage.transcript(
      #"POST /accounts/1001/deposit {"amount":\#(amount),"memo":"\#(memo)"}"#)
  }

  private func expectBaseline() throws {
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
    try expectContains(stage.waxwing(["list"]), "no patches")
  }

  @Test func `what is typed runs in the program, and what it gives is shown`() throws {
    let result = try type(
      """
      1 + 2
      print("a", 2)
      typeof(Account, "deposit")
      for i = 1, 2 do
        print(i)
      end
      exit
      """)
    expectSuccess(result)
    expectEqual(
      result.standardOutput,
      """
      3
      a    2
      class bankd.Account
        func deposit(_: Int, memo: String) -> Int
      1
      2

      """)
    let failing = try type("nil + 1\nlocal x = 1\nx\nwhile true do end\n7")
    #expect(failing.status == .exited(3) && failing.standardOutput == "7\n")
    for text in [
      "shell:1: attempt to perform arithmetic on a nil value", "leave out `local` to keep `x`",
      "`limits.instructions`",
    ] {
      expectContains(failing.standardError, text)
    }
    try expectBaseline()
  }

  @Test func `Ctrl-C ends the wait for a piece, and not the shell`() throws {
    let typist = try Typist(shell(), in: stage.folder)
    // It returns at the next signal that ends the program; the override shows that the piece runs.
    try typist.send(
      "function Account:deposit(n) return 7 end TerminationSignals:blocked():wait()")
    func explained() throws -> String {
      try stage.waxwing(["explain", "bankd.Account.deposit(_:memo:)"])
    }
    try waitUntil("the override of shell-1", seen: try explained()) {
      try !typist.process.isRunning || explained().contains("shell-1")
    }
    typist.process.send(signal: SIGINT)
    waitUntil("the interruption", seen: typist.process.standardError) {
      typist.process.standardError.contains("interrupted") || !typist.process.isRunning
    }
    expectContains(
      typist.process.standardError,
      "interrupted: the Swift code that the piece calls cannot be stopped, and goes on")
    #expect(typist.process.isRunning)
    typist.process.send(signal: SIGKILL)
    try typist.process.waitForExit()
  }

  @Test(.enabled(if: TerminalTypist.isPossible))
  func `on a terminal Ctrl-C stops Lua code and discards the line, and twice it leaves the shell`()
    throws
  {
    let typist = try TerminalTypist(stage.tool(["shell"]), in: stage.folder)
    // Each call comes back soon: what is stopped is the loop.
    try typist.type(
      "log.info('be' .. 'gun') for i = 1, 900 do Thread.sleep_forTimeInterval(0.05) end\r",
      until: "(0.05) end\n")
    typist.wait("begun") { _ in stage.log.contains("begun") }
    try typist.type("\u{3}", until: "interrupted")
    typist.waitForPrompt()
    #expect(!typist.shown.contains("cannot be stopped"), "\(typist.shown)")
    for round in 1...2 {
      try typist.type("answer = \(round) print('round ' .. answer)\r", until: "round \(round)\n")
      typist.waitForPrompt()
      try typist.type("wrong wrong\u{3}", until: "Ctrl-C once more")
      typist.waitForPrompt()
    }
    try typist.type("print('still ' .. 'here')\r", until: "still here\n")
    typist.waitForPrompt()
    #expect(!typist.shown.contains("error"), "\(typist.shown)")
    try typist.type("\u{3}", until: "Ctrl-C once more")
    typist.waitForPrompt()
    #expect(typist.process.isRunning)
    try typist.type("\u{3}", until: "nothing, for it ends")
    try expectEqual(typist.process.waitForExit(), .exited(0))
    try expectBaseline()
  }

  @Test func `what only patches declare is refused, with what to do instead`() throws {
    let pieces = [
      ("class('Own', nil)", "classes are made"),
      ("class('Sub', 'bankd.Account')", "classes are made"),
      ("class('Account'):deinit(function(self) end)", "deinitializers are added"),
      ("conform('bankd.Account', 'CustomStringConvertible', {})", "conformances are declared"),
      ("Account:method('shout', function(self) return 1 end)", "methods are added"),
      ("on('started', print)", "`on` is used"),
      ("when_loaded('Plugin', function() end)", "modules are waited for"),
    ]
    let result = try type(pieces.map(\.0).joined(separator: "\n") + "\n1 + 1")
    #expect(result.status == .exited(3) && result.standardOutput == "2\n")
    let lines = result.standardError.split(separator: "\n").filter { $0.hasPrefix("shell:") }
    for (index, piece) in pieces.enumerated() {
      let expected =
        "shell:1: \(piece.1) by patches only, and not in a shell: write it into a file and type "
        + "`waxwing apply FILE`; the shell sees what the patch makes"
      #expect(lines.indices.contains(index) && lines[index] == expected, "\(piece.0): \(lines)")
    }
    try expectBaseline()
  }

  @Test func `overrides come, change and go while the shell is open, and end with it`() throws {
    let shell = try Typist(self.shell(), in: stage.folder)
    try shell.type(
      "function Account:deposit(n, memo)\n last = self\n return self:ORIGdeposit(n, memo .. 1)\nend"
    )
    try expectContains(deposit(5), #""balance":5,"#)
    try expectContains(stage.waxwing(["list"]), "shell-1")
    try shell.type("print(last.balance, last.owner)")
    expectContains(shell.process.standardOutput, "5    Ada")
    try shell.type(
      "function Account:deposit(n, memo) print(memo) return original(self, n, memo .. 2) end")
    _ = try deposit(5)
    try shell.type("Account.deposit = nil")
    _ = try deposit(5)
    let statement = try stage.transcript("GET /accounts/1001/statement")
    #expect(statement.contains(#""memo":"rent1""#) && statement.contains(#""memo":"rent2""#))
    expectContains(statement, #""memo":"rent","sequence":3"#)
    try shell.type("function Account:deposit() return 7 end")
    try expectContains(deposit(5), #""balance":7,"#)
    shell.process.send(signal: SIGKILL)
    _ = try shell.process.waitForExit()
    try waitUntil("no patches", seen: try stage.waxwing(["list"]), atMost: .seconds(90)) {
      try stage.waxwing(["list"]).contains("no patches")
    }
    try expectContains(deposit(5), #""balance":20,"#)
    try expectBaseline()
  }

  @Test func `the shell is told when it has been ended from elsewhere`() throws {
    let shell = try Typist(self.shell(), in: stage.folder)
    _ = try stage.waxwing(["restore"])
    try shell.type("1")
    try expectEqual(shell.process.waitForExit(), .exited(3))
    expectContains(shell.process.standardError, "shell-1 has ended: it was reverted")
  }
}
