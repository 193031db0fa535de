// SPDX-License-Identifier: MIT

/// A program as its manual and completions show it.
package struct ProgramHelp: Sendable {
  /// The name of the program, such as `waxwing`.
  let name: String
  /// The program in one line, without capital and period.
  let summary: String
  /// The version, which programs of one release share.
  let version: String
  /// The commands in the order of the help. No two begin with the same word. A command without a
  /// name is the only one.
  var commands: [any DescribedCommand] = []
  /// A paragraph about all commands.
  package var note = ""
  /// The environment variables that the program reads.
  package var environment: [HelpEntry] = []
  /// The exit codes of the program.
  package var exitCodes: [HelpEntry] = []
  /// Examples, each a whole command line.
  package var examples: [String] = []

  /// A program without commands: ``CommandLineProgram`` adds them.
  package init(name: String, summary: String, version: String) {
    self.name = name
    self.summary = summary
    self.version = version
  }

  /// Whether the program's options follow its name directly.
  var isOneCommand: Bool { commands.count == 1 && commands[0].name.isEmpty }

  /// The program's name in names of functions and variables of scripts.
  var identifier: String { name.replacing("-", with: "_") }

  var completions: [CommandCompletion] { commands.map(CommandCompletion.init) }
}
