// SPDX-License-Identifier: MIT

package import WaxwingToolKit

/// One of the fleet's programs.
package struct FleetProgram: Sendable {
  private let name: String
  private let summary: String
  private let commands: [any FleetCommand]

  /// - Parameters:
  ///   - name: What calls the program.
  ///   - summary: One line about it.
  ///   - commands: In the order of the help. One without a name is the program's only one in its help.
  package init(name: String, summary: String, commands: [any FleetCommand]) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// Runs one command line, without the program's own name.
  /// - Returns: What to leave with.
  package func run(_ words: [String]) -> ExitCode { program.run(words) }

  private var program: CommandLineProgram {
    var help = ProgramHelp(name: name, summary: summary, version: FleetVersion.text)
    help.note = "docs/fleet.md is the guide."
    help.environment = FleetStore.environment
    help.exitCodes = Self.exitCodes
    let helpers: [any Command] = [
      CompletionCommand(name, note: "The script knows commands, options and files.") {
        self.program.help
      },
      ManualCommand(name) { self.program.help },
    ]
    let own = commands.map(FleetKitCommand.init)
    let isOneCommand = own.count == 1 && own[0].name.isEmpty
    return CommandLineProgram(
      help, commands: own + (isOneCommand ? [] : helpers), unlisted: isOneCommand ? helpers : [])
  }

  /// The codes that these programs leave with, in the words of a fleet.
  private static let exitCodes: [HelpEntry] = [
    (ExitCode.success, "done"),
    (.failure, "unexpected failure"),
    (.usage, "wrong arguments, or a file of yours is wrong"),
    (.refused, "something is not there, not signed, or was found bad"),
    (.conflict, "another change is in the way"),
    (.stalled, "the store does not answer"),
    (.partial, "partly done"),
    (.notPermitted, "the user's roles do not allow it"),
    (
      .degraded,
      "status: a halt, or a rollout that goes back; doctor: a finding; control --once: another one leads"
    ),
  ].map { HelpEntry("\($0.rawValue)", $1) }
}
