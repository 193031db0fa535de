// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingSystem

/// Results go to standard output, everything else to standard error.
///
/// Names and messages come from patches and programs. They go through ``VisibleText`` here, and nowhere
/// else but in the cells of tables, whose widths it changes: what could steer a terminal is shown and
/// never sent, and a line break in a name begins no line.
package final class Console {
  private var outputError: Int32?

  /// Whether errors and warnings are lines of JSON, because results are JSON, too.
  package var reportsJSON = false

  /// The name of the program, with which lines on standard error begin.
  package let program: String

  init(program: String) { self.program = program }

  /// Prints a line of a result.
  package func print(_ line: String) { print([line]) }

  /// Prints the lines of a result.
  package func print(_ lines: [String], as style: LineStyle = .plain) {
    let shown = lines.map { VisibleText.line($0) }
    write(result: Terminal.hasColours(STDOUT_FILENO) ? style.coloured(shown) : shown)
  }

  /// Prints a text that has several lines already: help, JSON, Lua code, metrics.
  package func print(document: String) { write(result: [VisibleText.lines(document)]) }

  /// Prints a result as JSON.
  package func print(json result: some Encodable) throws(CommandError) {
    print(document: try JSONText.of(result))
  }

  /// Prints an error to standard error.
  package func report(_ error: CommandError) {
    guard reportsJSON else { return Self.writeErrors(lines(error)) }
    Self.writeErrors([JSONText.line(of: ["error": ErrorDocument(error)])])
  }

  /// Writes the lines of an error to standard error.
  package func reportLines(_ lines: [String]) { Self.writeErrors(lines.flatMap(Self.shown)) }

  /// Writes a note to standard error; nothing if results are JSON.
  package func note(_ line: String) {
    if !reportsJSON { Self.writeErrors(Self.shown("\(program): \(line)")) }
  }

  /// Writes a warning of something that the user should know although the command works, with lines
  /// below it.
  package func warn(_ message: String, details: [String] = []) {
    guard !reportsJSON else {
      let document = ["warning": WarningDocument(message: message, details: details)]
      return Self.writeErrors([JSONText.line(of: document)])
    }
    Self.writeErrors(
      Self.shown("\(program): warning: \(message)") + details.flatMap(Self.shown))
  }

  /// An error with its details and its remedy.
  func lines(_ error: CommandError) -> [String] {
    var lines = Self.shown("\(program): error: \(error.message)")
    lines += error.details.flatMap { Self.shown("  " + $0) }
    if !error.remedy.isEmpty { lines += Self.shown("\(program): hint: \(error.remedy)") }
    return lines
  }

  /// A message of an error, safe to show. Its line breaks stay, as messages list what there is to choose
  /// from: further lines begin with a mark that no line of the tool begins with.
  package static func shown(_ text: String) -> [String] {
    let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineFeed)
    return parts.enumerated().map { index, part in
      (index == 0 ? "" : "  | ") + VisibleText.line(part)
    }
  }

  /// Writes lines that are safe to show to standard error, in one piece. Any thread.
  package static func writeErrors(_ lines: [String]) {
    let shown = Terminal.hasColours(STDERR_FILENO) ? LineStyle.messages.coloured(lines) : lines
    _ = write(shown.joined(separator: "\n") + "\n", to: STDERR_FILENO)
  }

  /// A result that could not be printed (a full disk, say) is not a success. A reader that has read enough (`| head`)
  /// is no failure.
  package func checkOutput() throws(CommandError) {
    guard let outputError, outputError != EPIPE else { return }
    throw CommandError(
      .failure, unsafe "cannot write the result: \(String(cString: strerror(outputError)))",
      remedy: "the command itself was carried out; look with `\(program) status`")
  }

  private func write(result lines: [String]) {
    let text = lines.joined(separator: "\n") + "\n"
    if let number = Self.write(text, to: STDOUT_FILENO) { outputError = number }
  }

  /// The error number, or nil.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    do throws(ErrorNumber) {
      try SystemCall.writeAll(Array(text.utf8)[...], to: descriptor)
      return nil
    } catch {
      return error.value
    }
  }
}

extension Character {
  /// A line break of any system that is one character.
  fileprivate var isLineFeed: Bool { self == "\n" || self == "\r\n" }
}
