// SPDX-License-Identifier: MIT

/// The help of a program and of its commands, written from their declarations.
struct HelpText {
  private let program: ProgramHelp

  init(_ program: ProgramHelp) { self.program = program }

  /// The program's help: its commands, its environment and its exit codes.
  var text: String {
    let commands = program.commands.map { HelpEntry($0.name, $0.summary) }
    var parts = [
      Self.paragraph("\(program.name): \(program.summary)"),
      "Usage: \(program.name) COMMAND [ARGUMENT…]",
      "Commands:\n\(Self.table(commands))",
    ]
    if !program.note.isEmpty { parts.append(Self.paragraph(program.note)) }
    return (parts + shared).joined(separator: "\n\n")
  }

  /// The help of one command; that of a program's only command has what concerns the program, too.
  func of(_ command: any DescribedCommand) -> String {
    let lead = [program.name, command.name].filter { !$0.isEmpty }.joined(separator: " ")
    let usage = command.usage.map { $0.isEmpty ? lead : "\(lead) \($0)" }
    var parts = [Self.paragraph("\(lead): \(command.summary)")]
    let forms = usage.map { form in
      Self.wrapped(form, to: Self.width - 7).joined(separator: "\n         ")
    }
    parts.append("Usage: " + forms.joined(separator: "\n       "))
    if !command.arguments.isEmpty {
      parts.append("Arguments:\n\(Self.table(command.arguments.map(\.entry)))")
    }
    parts.append("Options:\n\(Self.table((command.options + [.help]).map(\.entry)))")
    parts += command.notes.map(Self.paragraph)
    if !command.examples.isEmpty { parts.append(Self.examples(command.examples)) }
    return (parts + (program.isOneCommand ? shared : [])).joined(separator: "\n\n")
  }

  private var shared: [String] {
    var parts: [String] = []
    if !program.environment.isEmpty {
      parts.append("Environment:\n\(Self.table(program.environment))")
    }
    parts.append("Exit codes:\n\(Self.table(program.exitCodes))")
    if !program.examples.isEmpty { parts.append(Self.examples(program.examples)) }
    return parts
  }

  private static func examples(_ lines: [String]) -> String {
    "Examples:\n" + lines.map { "  \($0)" }.joined(separator: "\n")
  }

  /// The most columns that a line takes.
  private static let width = 80

  /// Terms and meanings side by side; a meaning that does not fit goes on below itself, one after a long term
  /// below the term.
  private static func table(_ entries: [HelpEntry]) -> String {
    let longest = entries.map(\.term.count).filter { $0 <= 24 }.max() ?? 0
    let indent = String(repeating: " ", count: longest + 4)
    return entries.map { entry in
      let meaning = entry.meaning.replacing("\n", with: " ")
      let lines = wrapped(meaning, to: width - indent.count)
      let fits = entry.term.count <= longest
      let lead =
        "  \(entry.term)"
        + (fits ? String(repeating: " ", count: longest - entry.term.count + 2) : "\n" + indent)
      return lead + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  /// Text as long as lines may be; lines that begin with a space stay as they are.
  private static func paragraph(_ text: String) -> String {
    var lines: [String] = []
    var words = ""
    func flush() {
      if !words.isEmpty { lines += wrapped(words, to: width) }
      words = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") || line.isEmpty {
        flush()
        lines.append(String(line))
      } else {
        words += words.isEmpty ? String(line) : " \(line)"
      }
    }
    flush()
    return lines.joined(separator: "\n")
  }

  /// The words between spaces; an option in brackets stays with its value.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var depth = 0
    for word in text.split(separator: " ").map(String.init) {
      if depth > 0 { words[words.count - 1] += " " + word } else { words.append(word) }
      depth = max(0, depth + word.count { $0 == "[" } - word.count { $0 == "]" })
      if words[words.count - 1].count > 40 { depth = 0 }
    }
    return words
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in Self.words(text) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }
}
