// SPDX-License-Identifier: MIT

/// A program as its manual and completions show it.
package struct ProgramHelp: Sendable {
  /// What calls it: `waxwing`.
  let name: String
  /// One line; no capital, no period.
  let summary: String
  /// Of the programs that belong together.
  let version: String
  /// In the order of the help. No two begin with the same word; one without a name is alone.
  var commands: [any DescribedCommand] = []
  /// A paragraph about all commands.
  package var note = ""
  /// What it reads of its environment.
  package var environment: [HelpEntry] = []
  /// What it tells the shell.
  package var exitCodes: [HelpEntry] = []
  /// Whole command lines.
  package var examples: [String] = []

  /// A program without commands: ``CommandLineProgram`` adds them.
  package init(name: String, summary: String, version: String) {
    self.name = name
    self.summary = summary
    self.version = version
  }

  /// Whether its options stand behind its name.
  var isOneCommand: Bool { commands.count == 1 && commands[0].name.isEmpty }

  /// For names of functions and variables in scripts.
  var identifier: String { name.replacing("-", with: "_") }

  var completions: [CommandCompletion] { commands.map(CommandCompletion.init) }
}
