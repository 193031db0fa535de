// SPDX-License-Identifier: MIT

import WaxwingControl

/// One page of the manual, in the language of man(7).
struct ManualPage {
  /// `waxwing`, `waxwing-apply`.
  let name: String
  let text: String

  private init(_ name: String, _ summary: String, _ date: String, _ sections: [String]) {
    self.name = name
    let title = name.uppercased()
    let head = [
      #".TH "\#(title)" "1" "\#(date)" "waxwing \#(ControlProtocol.engineVersion)" "Waxwing""#,
      ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(summary))",
    ]
    text = (head + sections).joined(separator: "\n")
  }

  static func tool(_ date: String) -> ManualPage {
    let commands = CommandLineTool.commands.map {
      HelpEntry("waxwing-\($0.name)(1)", $0.summary)
    }
    return ManualPage(
      "waxwing", HelpText.summary, date,
      [
        ".SH SYNOPSIS", Roff.synopsis("waxwing", "COMMAND [ARGUMENT…]"),
        ".SH DESCRIPTION", Roff.paragraph(HelpText.note),
        ".SH COMMANDS", Roff.list(commands),
        ".SH EXIT STATUS", exitCodes,
        ".SH ENVIRONMENT", Roff.list(HelpText.environment),
        ".SH EXAMPLES", Roff.verbatim(HelpText.examples),
      ])
  }

  static func of(_ command: any Command, _ date: String) -> ManualPage {
    let name = "waxwing-\(command.name)"
    var sections = [".SH SYNOPSIS"]
    let forms = command.usage.map { Roff.synopsis("waxwing \(command.name)", $0) }
    sections.append(forms.joined(separator: "\n.br\n"))
    if !command.notes.isEmpty {
      sections += [
        ".SH DESCRIPTION", command.notes.map(Roff.paragraph).joined(separator: "\n.PP\n"),
      ]
    }
    if !command.arguments.isEmpty {
      sections += [".SH ARGUMENTS", Roff.list(command.arguments.map(\.entry))]
    }
    sections += [".SH OPTIONS", Roff.list((command.options + [.help]).map(\.entry))]
    sections += [".SH EXIT STATUS", exitCodes]
    sections += [".SH EXAMPLES", Roff.verbatim(command.examples)]
    sections += [".SH SEE ALSO", ".BR waxwing (1)"]
    return ManualPage(name, command.summary, date, sections)
  }

  private static var exitCodes: String {
    Roff.list(ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) })
  }
}
