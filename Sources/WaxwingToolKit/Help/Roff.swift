// SPDX-License-Identifier: MIT

/// Text in the language of man(7).
enum Roff {
  /// A line without requests and escapes. Hyphens are those of the keyboard, so that a command can
  /// be copied from the page.
  static func text(_ line: some StringProtocol) -> String {
    let escaped = line.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "…": result += "..."
      default: result.append(character)
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  /// Lines that are filled; an indented line stays as it is.
  static func paragraph(_ text: String) -> String {
    var (lines, filled): ([String], [String]) = ([], [])
    var isVerbatim = false
    func finish() {
      if !filled.isEmpty { lines += Roff.filled(filled.joined(separator: " ")) }
      filled = []
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  ") != isVerbatim {
        finish()
        isVerbatim.toggle()
        lines += isVerbatim ? [".RS 2", ".nf"] : [".fi", ".RE"]
      }
      if isVerbatim { lines.append(Roff.text(line.dropFirst(2))) } else { filled += [String(line)] }
    }
    finish()
    return (lines + (isVerbatim ? [".fi", ".RE"] : [])).joined(separator: "\n")
  }

  /// Text as short lines, a new one for each sentence.
  private static func filled(_ text: String) -> [String] {
    var (lines, line): ([String], String) = ([], "")
    var endsSentence = false
    for word in text.split(separator: " ") {
      let escaped = Roff.text(word)
      if !line.isEmpty, endsSentence || line.utf8.count + 1 + escaped.utf8.count > 78 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + escaped
      endsSentence = word.hasSuffix(".") && !word.hasSuffix("...")
    }
    return lines + (line.isEmpty ? [] : [line])
  }

  /// Terms in bold, with their meanings below.
  static func list(_ entries: [HelpEntry]) -> String {
    entries.map { entry in
      let meaning = filled(entry.meaning.replacing("\n", with: " "))
      return ([".TP", "\\fB\(Roff.text(entry.term))\\fR"] + meaning).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// A form of a command.
  static func synopsis(_ command: String, _ rest: String) -> String {
    let lines = ["\\fB\(Roff.text(command))\\fR"] + (rest.isEmpty ? [] : filled(rest))
    return lines.joined(separator: "\n")
  }

  static func verbatim(_ lines: [String]) -> String {
    ([".nf"] + lines.map { Roff.text($0) } + [".fi"]).joined(separator: "\n")
  }
}
