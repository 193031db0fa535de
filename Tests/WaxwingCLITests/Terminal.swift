// SPDX-License-Identifier: MIT

import Expectations
import Glibc
import Testing
import WaxwingTestSupport

/// A program in a terminal of its own, 100 columns wide: tmux runs it, and tells what is on the screen.
final class Terminal {
  static let isThere = isInstalled("tmux")

  /// Whether lines can be edited, and words completed.
  static let hasEditor = access("/usr/lib/x86_64-linux-gnu/libedit.so.2", R_OK) == 0

  private let socket: String

  /// Whether a program is where Debian installs it.
  static func isInstalled(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

  init(_ command: String, _ tool: Tool, environment: [String: String] = [:]) throws {
    socket = tool.folder.path + "/tmux"
    let path = Tool.path.split(separator: "/").dropLast().joined(separator: "/")
    let own = [
      "WAXWING_SOCKET_DIR": tool.folder.path + "/s", "PATH": "/\(path):/usr/bin:/bin",
      "HOME": tool.folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/sh",
    ]
    let result = try Command(
      "/usr/bin/tmux",
      ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", command],
      environment: own.merging(environment) { $1 }, directory: tool.folder.path + "/work"
    ).run()
    guard result.isSuccess else { throw TestSupportError("tmux: \(result.standardError)") }
  }

  deinit { _ = try? tmux("kill-server") }

  func type(_ text: String) throws { _ = try tmux("send-keys", "-l", "--", text) }

  /// A key by tmux's name for it: `Tab`, `Enter`.
  func press(_ key: String) throws { _ = try tmux("send-keys", key) }

  /// Waits until the screen is what it should be.
  /// - Returns: The screen, without what is empty: another one if that never came.
  func screen(until expected: String) throws -> String {
    try screen { $0 == expected }
  }

  /// Waits until the screen is as it should be, and records an issue if that never comes.
  /// - Returns: The screen: another one if that never came.
  @discardableResult
  func screen(
    sourceLocation: SourceLocation = #_sourceLocation, until isExpected: (String) -> Bool
  ) throws -> String {
    var screen = ""
    try waitUntil("the screen", seen: screen, sourceLocation: sourceLocation) {
      screen = try self.screen()
      return isExpected(screen)
    }
    return screen
  }

  private func screen() throws -> String {
    let lines = try tmux("capture-pane", "-p").split(separator: "\n")
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func tmux(_ words: String...) throws -> String {
    let result = try Command("/usr/bin/tmux", ["-S", socket] + words).run()
    return result.standardOutput
  }
}
