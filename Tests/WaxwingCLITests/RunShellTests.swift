// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The shell of `waxwing run` in a terminal, while what it calls traps or does not return.
@Suite(.enabled(if: Terminal.isThere && Terminal.hasEditor)) struct RunShellTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write([], to: "work/x")
  }

  private func shell() throws -> Terminal {
    let terminal = try Terminal("waxwing run", tool, environment: ["NO_COLOR": "1"])
    try terminal.screen { $0.hasSuffix("\n>") }
    return terminal
  }

  /// Types a line, and waits for the next prompt.
  @discardableResult
  private func run(_ line: String, _ terminal: Terminal) throws -> String {
    try terminal.type(line)
    try terminal.press("Enter")
    return try terminal.screen { $0.hasSuffix("\n>") && $0.contains("> \(line)\n") }
  }

  /// Types a line that does not come to its end, and presses Ctrl-C when it has begun.
  private func interrupt(_ line: String, _ terminal: Terminal) throws {
    try terminal.type("print(\"begun\") \(line)")
    try terminal.press("Enter")
    try terminal.screen { $0.hasSuffix("\nbegun") }
    letOthersRun(for: .milliseconds(300))
    try terminal.press("C-c")
  }

  @Test func `a trap is told, and the shell goes on without what was there`() throws {
    let terminal = try shell()
    try run("answer = 42", terminal)
    try run("function twice(n) return n * 2 end", terminal)
    let screen = try run("String(\"x\", -1)", terminal)
    #expect(
      screen.contains("the program was ended by SIGILL, a trap of Swift's, in `"), "\(screen)")
    #expect(screen.contains(": Fatal error: "), "\(screen)")
    #expect(
      screen.contains("a fresh program has taken its place; gone: answer, twice"), "\(screen)")
    #expect(try run("answer", terminal).contains("undefined variable `answer`"))
    #expect(try run("\"still\" .. \" here\"", terminal).contains("\nstill here\n"))
  }

  @Test func `Ctrl-C ends a call that does not return`() throws {
    let terminal = try shell()
    try run("answer, nap = 42, Thread.sleep_forTimeInterval", terminal)
    try interrupt("nap(1000)", terminal)
    let screen = try terminal.screen { $0.hasSuffix("\n>") && $0.contains("fresh program") }
    #expect(
      screen.contains(
        "interrupted in `Foundation.Thread.sleep(forTimeInterval:)`, which did not stop"),
      "\(screen)")
    #expect(screen.contains("gone: answer, nap"), "\(screen)")
    // Lua code stops, and nothing is lost.
    try run("answer = 43", terminal)
    try interrupt("while true do end", terminal)
    try terminal.screen { $0.hasSuffix("\n>") && $0.contains("interrupted\n") }
    #expect(try run("answer + 1", terminal).contains("\n44\n"))
  }

  @Test func `several lines, completion and history work in each program`() throws {
    let terminal = try shell()
    try run("String(\"x\", -1)", terminal)
    try terminal.type("for i = 1, 2 do")
    try terminal.press("Enter")
    try terminal.screen { $0.hasSuffix("\n>>") }
    #expect(try run("print(\"line\", i) end", terminal).contains("\nline    1\nline    2\n"))
    try run("url = URL(\"https://a.b/c\")", terminal)
    try terminal.type("url:appendingPathE")
    try terminal.press("Tab")
    try terminal.type("(\"x\").path")
    try terminal.press("Enter")
    let screen = try terminal.screen { $0.hasSuffix("\n/c.x\n>") }
    #expect(screen.contains("> url:appendingPathExtension(\"x\").path\n"), "\(screen)")
    try terminal.press("Up")
    try terminal.press("Up")
    let again = try terminal.screen { $0.hasSuffix("\n> url = URL(\"https://a.b/c\")") }
    #expect(again.hasSuffix("\n> url = URL(\"https://a.b/c\")"), "\(again)")
  }
}
