// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// What the tool prints on a terminal and nowhere else; `script` makes one.
@Suite(.enabled(if: Terminal.isInstalled("script"))) struct ScreenTests {
  let tool: Tool
  let daemon: FakeDaemon

  init() throws {
    tool = try Tool()
    daemon = try FakeDaemon(tool)
  }

  @Test func `errors have colours, unless NO_COLOR is set or the terminal has none`() throws {
    let coloured = """
      waxwing: \u{1B}[1;31merror:\u{1B}[0m unknown command 'lst'
      waxwing: \u{1B}[36mhint:\u{1B}[0m did you mean 'list'?

      """
    let plain = """
      waxwing: error: unknown command 'lst'
      waxwing: hint: did you mean 'list'?

      """
    #expect(try onTerminal("waxwing lst") == coloured)
    #expect(try onTerminal("waxwing lst", ["NO_COLOR": ""]) == coloured)
    #expect(try onTerminal("waxwing lst", ["NO_COLOR": "1"]) == plain)
    #expect(try onTerminal("waxwing lst", ["TERM": "dumb"]) == plain)
    #expect(try onTerminal("waxwing lst 2>&1 | cat") == plain)
  }

  @Test func `what a patch says cannot bring colours of its own`() throws {
    let list = try onTerminal("waxwing list", ["COLUMNS": "200"])
    #expect(list.hasPrefix("\u{1B}[1mPATCH "))
    #expect(list.contains("field 'limit')\\u{1b}[2J"))
  }

  @Test func `status and findings have colours`() throws {
    let status = try onTerminal("waxwing status")
    #expect(status.contains("state: \u{1B}[1;31mdegraded\u{1B}[0m, 2 patches"), "\(status)")
    let check = try onTerminal("echo 'x = = 1' | waxwing check -")
    #expect(check.hasPrefix("stdin.lua:1:3: \u{1B}[1;31merror:\u{1B}[0m "), "\(check)")
  }

  @Test func `a table is as wide as the terminal, and whole in a pipe`() throws {
    let whole = try tool.run("list").output.split(separator: "\n").prefix(4)
    let wide = try onTerminal("waxwing list", ["COLUMNS": "120", "NO_COLOR": "1"])
    #expect(wide.split(separator: "\n").prefix(4) == whole)
    #expect(whole.contains { $0.count > 60 })
    for setting in [["COLUMNS": "60"], [:]] {
      let command = setting.isEmpty ? "stty cols 60; waxwing list" : "waxwing list"
      let text = try onTerminal(command, setting.merging(["NO_COLOR": "1"]) { $1 })
      let narrow = text.split(separator: "\n").prefix(4)
      #expect(
        narrow.map(String.init) == [
          "PATCH      VERSION  STATE     OVERRIDE         CALLS  ERRORS",
          "overdraft        3  active    Bank.Account.w…   1200       0",
          "                              Bank.fee(_:)         3       2",
          "rounding         0  draining  Bank.round(_:)       0       0",
        ], "\(text)")
    }
    let piped = try onTerminal("waxwing list | cat", ["COLUMNS": "60"])
    #expect(piped.split(separator: "\n").prefix(4) == whole)
  }

  @Test func `a request that takes long says so`() throws {
    let tool = try Tool()
    let screen = tool.folder.path + "/screen"
    let daemon = try FakeDaemon(tool) { request in
      // Until it has been said.
      func shown() -> String { (try? String(contentsOfFile: screen, encoding: .utf8)) ?? "" }
      waitUntil("the command says that it waits", seen: shown()) {
        shown().contains("waiting for bankd (pid 4711), ")
      }
      return FakeDaemon.answer(request)
    }
    let shown = try onTerminal("waxwing restore", into: screen, tool)
    #expect(shown.contains("\rwaxwing: waiting for bankd (pid 4711), "), "\(shown)")
    #expect(shown.contains(" of at most 30s\u{1B}[K"))
    #expect(shown.contains("\r\u{1B}[Krestored baseline"))
    withExtendedLifetime(daemon) {}
  }

  /// Runs a line of shell on a terminal of 80 columns, and gives what it has shown.
  private func onTerminal(
    _ line: String, _ environment: [String: String] = [:], into file: String = "/dev/null",
    _ tool: Tool? = nil
  ) throws -> String {
    let folder = (tool ?? self.tool).folder.path
    let path = Tool.path.split(separator: "/").dropLast().joined(separator: "/")
    let own = [
      "WAXWING_SOCKET_DIR": folder + "/s", "PATH": "/\(path):/usr/bin:/bin",
      "TERM": "xterm-256color", "SHELL": "/bin/sh", "COLUMNS": "",
      "NO_COLOR": "",
    ]
    let result = try Command(
      "/usr/bin/script", ["-qefc", line, file],
      environment: own.merging(environment) { $1 }, directory: folder
    ).run(timeout: .seconds(120))
    return result.standardOutput.replacing("\r\n", with: "\n")
  }
}
