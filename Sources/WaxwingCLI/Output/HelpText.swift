// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// The help of the tool and of each command, written from their declarations.
enum HelpText {
  static var tool: String {
    let commands = CommandLineTool.commands.map { HelpEntry($0.name, $0.summary) }
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    return """
      waxwing: \(summary)

      Usage: waxwing COMMAND [ARGUMENT…]

      Commands:
      \(table(commands))

      \(note)

      Environment:
      \(table(environment))

      Exit codes:
      \(table(codes))

      Examples:
      \(examples.map { "  \($0)" }.joined(separator: "\n"))
      """
  }

  static let summary = "changes functions of a running Swift program from Lua, and restores them"

  static let note = """
    `waxwing COMMAND --help` explains a command. Results go to standard output, errors to
    standard error. The daemon is the one that --socket PATH, --program NAME or the name alone
    says, or that a patch is for, or the only one that is running. `waxwing daemons` lists them
    all; NAME@INSTANCE is one instance of a program.
    """

  /// What the tool reads of its environment; further lines of a meaning stand below the first.
  static let environment = [
    HelpEntry(
      "WAXWING_SOCKET_DIR",
      """
      the folder of control sockets, which may belong to another user; default:
      $XDG_RUNTIME_DIR/waxwing or /tmp/waxwing-UID, /run/waxwing and
      /run/waxwing/*
      """),
    HelpEntry(
      "WAXWING_STATE_DIR",
      """
      the folder of kept patches; default: /var/lib/waxwing (root),
      $XDG_STATE_HOME/waxwing or ~/.local/state/waxwing
      """),
    HelpEntry("WAXWING_CONFIG_DIR", "the folder of configuration files; default: /etc/waxwing"),
    HelpEntry("NO_COLOR", "no colours, if it is not empty; pipes and files never get any"),
    HelpEntry("COLUMNS", "the width for tables on a terminal, in place of the terminal's own"),
  ]

  static let examples = [
    "waxwing points ./bankd withdraw", "waxwing apply overdraft.lua", "waxwing list",
    "waxwing restore",
  ]

  static func of(_ command: any Command) -> String {
    let lead = "waxwing \(command.name)"
    let usage = command.usage.map { $0.isEmpty ? lead : "\(lead) \($0)" }
    let options = (command.options + [.help]).map(\.entry)
    var parts = ["\(lead): \(command.summary)"]
    parts.append("Usage: " + usage.joined(separator: "\n       "))
    if !command.arguments.isEmpty {
      parts.append("Arguments:\n\(table(command.arguments.map(\.entry)))")
    }
    parts.append("Options:\n\(table(options))")
    parts += command.notes
    parts.append("Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ entries: [HelpEntry]) -> String {
    let width = entries.map(\.term.count).max() ?? 0
    return entries.map { entry in
      let padding = String(repeating: " ", count: width - entry.term.count + 2)
      let indent = "\n" + String(repeating: " ", count: width + 4)
      return "  \(entry.term)\(padding)\(entry.meaning.replacing("\n", with: indent))"
    }.joined(separator: "\n")
  }
}
