// SPDX-License-Identifier: MIT

import Glibc
import WaxwingBridge
import WaxwingLua

/// `waxwing run` without a script: runs what is typed, line by line, and shows what it returns.
struct Shell {
  private static let name = "shell"

  let runtime: ScriptRuntime
  let console: Console

  /// Until the end of input. From a terminal with prompts; from a pipe without.
  /// - Returns: Whether nothing failed.
  func run() -> Bool {
    let isTerminal = isatty(STDIN_FILENO) != 0
    let editor = isTerminal ? LineEditor() : nil
    if isTerminal { console.print("Waxwing. Ctrl-D or exit() ends; typeof(x) lists a type.") }
    var text = ""
    var succeeded = true
    while let line = editor.map({ $0.line(prompt: text.isEmpty ? "> " : ">> ") }) ?? readLine() {
      text += text.isEmpty ? line : "\n" + line
      if text.allSatisfy(\.isWhitespace) { text = "" }
      if text.isEmpty { continue }
      switch runtime.evaluate(text, name: Self.name) {
      case .incomplete: continue
      case .done: break
      case .failed(let failure):
        succeeded = false
        show(failure)
      }
      text = ""
      fflush(nil)
    }
    if isTerminal { console.print("") }
    guard !text.isEmpty else { return succeeded }
    console.warn("the input ends in the middle of: \(text)")
    return false
  }

  private func show(_ failure: LuaFailure) {
    fflush(nil)
    console.reportLines([failure.message] + failure.frames.map { "  \($0)" })
  }
}
