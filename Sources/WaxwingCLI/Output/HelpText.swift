// SPDX-License-Identifier: MIT

/// The help of the tool and of each command, written from their declarations.
enum HelpText {
  static var tool: String {
    let commands = CommandLineTool.commands.map { HelpEntry($0.name, $0.summary) }
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    return """
      waxwing: changes functions of a running Swift program from Lua, and restores them

      Usage: waxwing COMMAND [ARGUMENT…]

      Commands:
      \(table(commands))

      `waxwing COMMAND --help` explains a command. Results go to standard output, errors to
      standard error. The daemon is the one that --socket PATH, --program NAME or the name alone
      says, or that a patch is for, or the only one that is running. `waxwing daemons` lists them
      all; NAME@INSTANCE is one instance of a program.

      Environment:
        WAXWING_SOCKET_DIR  the folder of control sockets, which may belong to another user; default:
                            $XDG_RUNTIME_DIR/waxwing or /tmp/waxwing-UID, /run/waxwing and
                            /run/waxwing/*
        WAXWING_STATE_DIR   the folder of kept patches; default: /var/lib/waxwing (root),
                            $XDG_STATE_HOME/waxwing or ~/.local/state/waxwing

      Exit codes:
      \(table(codes))

      Examples:
        waxwing points ./bankd withdraw
        waxwing apply overdraft.lua
        waxwing list
        waxwing restore
      """
  }

  static func of(_ command: any Command) -> String {
    let lead = "waxwing \(command.name)"
    let usage = command.usage.map { $0.isEmpty ? lead : "\(lead) \($0)" }
    let options = (command.options + [Option("--help", nil, "show this text")]).map {
      HelpEntry([$0.name, $0.value].compactMap(\.self).joined(separator: " "), $0.meaning)
    }
    var parts = ["\(lead): \(command.summary)"]
    parts.append("Usage: " + usage.joined(separator: "\n       "))
    if !command.arguments.isEmpty { parts.append("Arguments:\n\(table(command.arguments))") }
    parts.append("Options:\n\(table(options))")
    parts += command.notes
    parts.append("Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ entries: [HelpEntry]) -> String {
    let width = entries.map(\.term.count).max() ?? 0
    return entries.map { entry in
      let padding = String(repeating: " ", count: width - entry.term.count + 2)
      return "  \(entry.term)\(padding)\(entry.meaning)"
    }.joined(separator: "\n")
  }
}
