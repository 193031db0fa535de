// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Types at a prompt of the tool in a terminal, which `script` of Debian's bsdutils makes.
final class TerminalTypist {
  static let isPossible = access("/usr/bin/script", X_OK) == 0

  let process: RunningProcess
  private let pipe: FileHandle

  /// - Parameters:
  ///   - tool: The command, with words for arguments.
  ///   - folder: Where it is started.
  ///   - history: Where it keeps the lines; empty: nowhere.
  init(_ tool: Command, in folder: String, history: String = "") throws {
    try #require(mkfifo("\(folder)/typed", 0o600) == 0)
    var script = tool
    let words = tool.arguments.joined(separator: " ")
    script.arguments = [
      "-c", "exec script -qec \"exec $0 \(words)\" /dev/null <>typed", tool.executable,
    ]
    script.executable = "/bin/sh"
    script.environment.merge(["WAXWING_HISTORY": history, "TERM": "dumb"]) { $1 }
    process = try script.start()
    pipe = try #require(FileHandle(forUpdatingAtPath: "\(folder)/typed"))
    waitForPrompt()
  }

  /// What the terminal shows, its lines ended as elsewhere: `\r\n` is one character.
  var shown: String { process.standardOutput.replacing("\r\n", with: "\n") }

  /// Types, and waits until something is shown that was not before.
  func type(_ text: String, until shown: String) throws {
    let before = self.shown.ranges(of: shown).count
    try pipe.write(contentsOf: Data(text.utf8))
    wait(shown.debugDescription) { $0.ranges(of: shown).count > before }
  }

  /// What is typed while there is none goes nowhere.
  func waitForPrompt() { wait("a prompt") { $0.hasSuffix("\n> ") } }

  func wait(_ what: String, _ isThere: (String) -> Bool) {
    let isShown = waitUntil(what, seen: shown.debugDescription) {
      isThere(shown) || !process.isRunning
    }
    if !isShown { process.send(signal: SIGKILL) }
  }
}
