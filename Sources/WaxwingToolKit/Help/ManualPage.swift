// SPDX-License-Identifier: MIT

import FoundationEssentials

/// One page of the manual, in the language of man(7).
struct ManualPage: Sendable {
  /// The name of the page, such as `waxwing` or `waxwing-apply`.
  let name: String
  /// The text of the page.
  let text: String

  private init(
    _ name: String, _ summary: String, _ program: ProgramHelp, _ date: String, _ sections: [String]
  ) {
    self.name = name
    let head = [
      #".TH "\#(name.uppercased())" "1" "\#(date)" "waxwing \#(program.version)" "Waxwing""#,
      ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(summary))",
    ]
    text = (head + sections).joined(separator: "\n")
  }

  /// The page of a program.
  static func of(_ program: ProgramHelp, _ date: String) -> ManualPage {
    if program.isOneCommand { return of(program.commands[0], program, date) }
    let commands = program.commands.map {
      HelpEntry("\(pageName($0, program))(1)", $0.summary)
    }
    var sections = [".SH SYNOPSIS", Roff.synopsis(program.name, "COMMAND [ARGUMENT…]")]
    if !program.note.isEmpty { sections += [".SH DESCRIPTION", Roff.paragraph(program.note)] }
    sections += [
      ".SH COMMANDS", Roff.list(commands), ".SH EXIT STATUS", Roff.list(program.exitCodes),
    ]
    if !program.environment.isEmpty {
      sections += [".SH ENVIRONMENT", Roff.list(program.environment)]
    }
    if !program.examples.isEmpty {
      sections += [".SH EXAMPLES", Roff.verbatim(program.examples)]
    }
    return ManualPage(program.name, program.summary, program, date, sections)
  }

  /// The page of one of its commands.
  static func of(
    _ command: any DescribedCommand, _ program: ProgramHelp, _ date: String
  ) -> ManualPage {
    let words = [program.name, command.name].filter { !$0.isEmpty }.joined(separator: " ")
    let forms = command.usage.map { Roff.synopsis(words, $0) }
    var sections = [".SH SYNOPSIS", forms.joined(separator: "\n.br\n")]
    if !command.notes.isEmpty {
      sections += [
        ".SH DESCRIPTION", command.notes.map(Roff.paragraph).joined(separator: "\n.PP\n"),
      ]
    }
    if !command.arguments.isEmpty {
      sections += [".SH ARGUMENTS", Roff.list(command.arguments.map(\.entry))]
    }
    sections += [".SH OPTIONS", Roff.list((command.options + [.help]).map(\.entry))]
    sections += [".SH EXIT STATUS", Roff.list(program.exitCodes)]
    if !command.examples.isEmpty {
      sections += [".SH EXAMPLES", Roff.verbatim(command.examples)]
    }
    let other = command.name.isEmpty ? "waxwing" : program.name
    sections += [".SH SEE ALSO", ".BR \(Roff.text(other)) (1)"]
    return ManualPage(pageName(command, program), command.summary, program, date, sections)
  }

  /// The program's page and those of its commands.
  static func all(_ program: ProgramHelp, _ date: String) -> [ManualPage] {
    let further = program.isOneCommand ? [] : program.commands
    return [of(program, date)] + further.map { of($0, program, date) }
  }

  /// Writes it into a folder.
  /// - Returns: The path that cannot be written; nil: it is written.
  func write(into folder: String) -> String? {
    let path = "\(folder)/\(name).1"
    do {
      try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      return nil
    } catch {
      return path
    }
  }

  private static func pageName(_ command: any DescribedCommand, _ program: ProgramHelp) -> String {
    "\(program.name) \(command.name)".split(separator: " ").joined(separator: "-")
  }
}
