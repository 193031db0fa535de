// SPDX-License-Identifier: MIT

import Glibc
import WaxwingToolKit

/// The script that a shell sends its pieces to.
protocol ShellScript: Sendable {
  /// The text that a terminal shows first.
  var greeting: String { get }

  /// Whether Ctrl-C at an empty prompt, pressed twice, leaves the shell.
  var leavesAtSecondInterrupt: Bool { get }

  /// Runs a piece, and shows its results.
  func evaluate(_ text: String) -> ShellEvaluation

  /// The words that one which was begun may be.
  func completions(of text: String) -> [String]
}

extension ShellScript {
  var leavesAtSecondInterrupt: Bool { false }
}

/// The outcome of a piece of a script.
enum ShellEvaluation: Sendable {
  /// - Parameter output: The output that has not been shown yet.
  case done(output: String)
  /// The text is the beginning of something: more has to follow.
  case incomplete
  case failed(output: String, message: String, frames: [String])
  /// Nothing can be typed any more, for this reason.
  case over(CommandError)
}

/// Runs pieces line by line.
struct Shell {
  let script: any ShellScript
  let console: Console

  init(_ script: any ShellScript, _ console: Console) {
    self.script = script
    self.console = console
  }

  /// Runs the shell until the end of input: on a terminal with prompts, on a pipe without.
  /// - Returns: Whether nothing failed.
  func run() -> Bool {
    guard isatty(STDIN_FILENO) != 0 else { return runOnPipe() }
    // Ctrl-C between two pieces is no reason to end.
    return withExtendedLifetime(ShellInterrupt()) { runOnTerminal() }
  }

  private func runOnTerminal() -> Bool {
    let script = script
    let editor = LineEditor(history: Self.historyFile) { script.completions(of: $0) }
    console.print(script.greeting)
    var input = Input(shell: self)
    var wasCancelled = false
    while true {
      switch editor.line(prompt: input.isEmpty ? "> " : ">> ") {
      case .text(let line):
        wasCancelled = false
        if input.add(line) { return input.succeeded }
      case .cancelled:
        console.print("")
        guard script.leavesAtSecondInterrupt else {
          input.cancel()
          continue
        }
        if input.isEmpty, wasCancelled { return input.end() }
        if input.isEmpty { console.note("Ctrl-C once more, or Ctrl-D, leaves the shell") }
        wasCancelled = input.isEmpty
        input.cancel()
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
    if let path = unsafe getenv("WAXWING_HISTORY").map({ unsafe String(cString: $0) }) {
      return path.isEmpty ? nil : path
    }
    return unsafe getenv("HOME").map { unsafe String(cString: $0) + "/.waxwing_history" }
  }

  /// The part of an incomplete piece that has been read.
  private struct Input {
    let shell: Shell
    private var text = ""
    private(set) var succeeded = true
    /// The names of local variables of earlier lines, which no longer exist.
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
      switch shell.script.evaluate(text) {
      case .incomplete: return false
      case .done(let output):
        shell.show(output)
        locals.formUnion(Self.locals(in: text))
      case .failed(let output, let message, let frames):
        shell.show(output)
        succeeded = false
        shell.show(message, frames, locals)
      case .over(let error):
        succeeded = false
        shell.console.report(error)
        return true
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

  private func show(_ output: String) {
    if output.isEmpty { return }
    // A tab would be shown as what it is, and not as space.
    let text = output.replacing("\t", with: "    ")
    console.print(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  private func show(_ message: String, _ frames: [String], _ locals: Set<String>) {
    fflush(nil)
    var lines = [message] + frames.map { "  \($0)" }
    if let name = locals.first(where: { message.contains("undefined variable `\($0)`") }) {
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
