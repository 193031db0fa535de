// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// A program with commands: finds the one that is meant, and prints help.
package struct FleetProgram: Sendable {
  /// The program's name.
  package let name: String
  /// One sentence about it.
  package let summary: String
  /// In the order of the help.
  package let commands: [any FleetCommand]

  /// Creates a program.
  package init(name: String, summary: String, commands: [any FleetCommand]) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// Runs the command that the words call.
  package func run(_ words: [String]) -> FleetExit {
    let console = FleetConsole(program: name)
    do throws(FleetError) {
      return try run(words, console)
    } catch {
      console.report(error)
      return FleetExit(error)
    }
  }

  /// Those that both programs have.
  private var helpCommands: [any FleetCommand] {
    [CompletionCommand(program: self), ManualCommand(program: self)]
  }

  private var isOneCommand: Bool { commands.count == 1 && commands[0].name.isEmpty }

  /// What the manual and completions are made from.
  var description: ProgramHelp {
    let all = isOneCommand ? commands : commands + helpCommands
    var help = ProgramHelp(
      name: name, summary: summary, version: FleetVersion.text,
      commands: all.map(FleetCommandHelp.init))
    help.exitCodes = FleetExit.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    help.environment = FleetStore.environment
    return help
  }

  private func run(_ words: [String], _ console: FleetConsole) throws(FleetError) -> FleetExit {
    if words.first == "--version" {
      console.print("\(name) \(FleetVersion.text)")
      return .success
    }
    if let helper = helpCommands.first(where: { $0.name == words.first }) {
      return try run(helper, Array(words.dropFirst()), console)
    }
    if isOneCommand { return try run(commands[0], words, console) }
    guard let first = words.first, first != "--help", first != "-h", first != "help" else {
      console.print(help)
      return words.isEmpty ? .usage : .success
    }
    guard let command = command(words) else {
      throw FleetError(
        .invalid,
        "there is no command '\(words.prefix(2).prefix { !$0.hasPrefix("-") }.joined(separator: " "))'",
        remedy: "see `\(name) --help`")
    }
    let rest = Array(words.dropFirst(command.name.split(separator: " ").count))
    return try run(command, rest, console)
  }

  private func run(
    _ command: any FleetCommand, _ rest: [String], _ console: FleetConsole
  ) throws(FleetError) -> FleetExit {
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      console.print(help(of: command))
      return .success
    }
    let arguments = try FleetArguments(
      rest, options: command.allOptions, count: command.argumentCount)
    return try command.run(arguments, console)
  }

  /// The command with the most words that the words begin with.
  private func command(_ words: [String]) -> (any FleetCommand)? {
    commands.filter { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
      .max { $0.name.count < $1.name.count }
  }

  private var help: [String] {
    let width = ((commands + helpCommands).map(\.name.count).max() ?? 0) + 2
    return [
      "\(name): \(summary)", "", "Usage: \(name) COMMAND [ARGUMENT…] [OPTION…]", "", "Commands:",
    ]
      + (commands + helpCommands).map { "  \(padded($0.name, to: width))\($0.summary)" }
      + ["", "`\(name) COMMAND --help` has more. docs/fleet.md is the guide."]
  }

  private func help(of command: any FleetCommand) -> [String] {
    let name = "\(name) \(command.name)".trimmedAtEnd
    var lines = ["\(name): \(command.summary)", ""]
    lines += command.usage.map { "Usage: \(name) \($0)".trimmedAtEnd }
    lines +=
      ["", "Options:"]
      + command.allOptions.map { option in
        "  \(padded([option.name, option.value].compactMap { $0 }.joined(separator: " "), to: 26))\(option.meaning)"
      }
    for note in command.notes { lines += [""] + note.split(separator: "\n").map(String.init) }
    return lines
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension String {
  fileprivate var trimmedAtEnd: String { hasSuffix(" ") ? String(dropLast()).trimmedAtEnd : self }
}
