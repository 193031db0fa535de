// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingLua
internal import WaxwingScripting

/// `waxwing run` without a script: runs what is typed, line by line, and shows what it returns.
struct Shell {
  private static let name = "shell"
  private static let greeting =
    "Waxwing \(ControlProtocol.engineVersion), Lua 5.4. help() explains; Ctrl-D or exit() ends."

  let script: ScriptConsole
  let console: Console

  init(_ runtime: ScriptRuntime, _ console: Console) {
    script = ScriptConsole(runtime)
    self.console = console
  }

  /// Until the end of input. From a terminal with prompts; from a pipe without.
  /// - Returns: Whether nothing failed.
  func run() -> Bool {
    isatty(STDIN_FILENO) != 0 ? runOnTerminal() : runOnPipe()
  }

  private func runOnTerminal() -> Bool {
    let script = script
    let editor = LineEditor(history: Self.historyFile) { script.completions(of: $0) }
    console.print(Self.greeting)
    var input = Input(shell: self)
    while true {
      switch editor.line(prompt: input.isEmpty ? "> " : ">> ") {
      case .text(let line):
        if input.add(line) { return input.succeeded }
      case .cancelled:
        input.cancel()
        console.print("")
      case .end:
        console.print("")
        return input.end()
      }
    }
  }

  private func runOnPipe() -> Bool {
    var input = Input(shell: self)
    while let line = readLine() {
      if input.add(line) { return input.succeeded }
    }
    return input.end()
  }

  /// `WAXWING_HISTORY`, empty for none, or a file of the user's.
  private static var historyFile: String? {
    if let path = getenv("WAXWING_HISTORY").map({ String(cString: $0) }) {
      return path.isEmpty ? nil : path
    }
    return getenv("HOME").map { String(cString: $0) + "/.waxwing_history" }
  }

  /// What has been read of a piece that is not complete yet.
  private struct Input {
    let shell: Shell
    private var text = ""
    private(set) var succeeded = true
    /// Of earlier lines: they are gone.
    private var locals: Set<String> = []

    init(shell: Shell) {
      self.shell = shell
    }

    var isEmpty: Bool { text.isEmpty }

    mutating func cancel() { text = "" }

    /// - Returns: Whether that ends the shell.
    mutating func add(_ line: String) -> Bool {
      let word = line.trimmed
      if text.isEmpty, word == "exit" || word == "quit" { return true }
      text += text.isEmpty ? line : "\n" + line
      if text.allSatisfy(\.isWhitespace) { text = "" }
      if text.isEmpty { return false }
      switch shell.script.evaluate(text, name: Shell.name) {
      case .incomplete: return false
      case .done: locals.formUnion(Self.locals(in: text))
      case .failed(let failure):
        succeeded = false
        shell.show(failure, locals)
      }
      text = ""
      fflush(nil)
      return false
    }

    func end() -> Bool {
      guard !text.isEmpty else { return succeeded }
      shell.console.warn("the input ends in the middle of: \(text)")
      return false
    }

    /// `local a, b = …` at the start.
    private static func locals(in text: String) -> [String] {
      guard let match = text.prefixMatch(of: #/\s*local\s+(\w+(?:\s*,\s*\w+)*)/#) else { return [] }
      return match.1.split(separator: ",").map { String($0).trimmed }
    }
  }

  private func show(_ failure: LuaFailure, _ locals: Set<String>) {
    fflush(nil)
    var lines = [failure.message] + failure.frames.map { "  \($0)" }
    if let name = locals.first(where: { failure.message.contains("undefined variable `\($0)`") }) {
      lines.append("locals end with their line; leave out `local` to keep `\(name)`")
    }
    console.reportLines(lines)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
