// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingSystem

/// A program with commands: finds the command, parses its arguments, prints help and reports errors.
package struct CommandLineProgram: Sendable {
  /// The commands in the order of the help. The name of one may be several words: `rollout start`. A program whose
  /// only command has no name takes options and arguments after its own name.
  private let commands: [any Command]
  /// Commands that scripts call and users do not type. No list has them.
  private let unlisted: [any Command]
  /// The description from which the help, the manual and the completions are made.
  package let help: ProgramHelp

  /// - Parameters:
  ///   - help: The program, without its commands.
  ///   - commands: In the order of the help.
  ///   - unlisted: Commands that scripts call and users do not type.
  package init(
    _ help: ProgramHelp, commands: [any Command], unlisted: [any Command] = []
  ) {
    var help = help
    help.commands = commands
    self.help = help
    self.commands = commands
    self.unlisted = unlisted
  }

  /// Runs one command line, without the program's own name.
  /// - Returns: The exit code; an error has been reported.
  package func run(_ words: [String]) -> ExitCode {
    let console = Console(program: help.name)
    console.reportsJSON = wantsJSON(words)
    do throws(CommandError) {
      let exitCode = try execute(words, console)
      try console.checkOutput()
      return exitCode
    } catch {
      console.report(error)
      return error.exitCode
    }
  }

  /// Whether errors are JSON, also those about arguments.
  private func wantsJSON(_ words: [String]) -> Bool {
    guard let command = named(words) else { return false }
    let options = words.prefix { $0 != "--" }
    return command.options.contains { $0.name == Option.json.name }
      && options.contains(Option.json.name)
  }

  private func execute(
    _ words: [String], _ console: Console
  ) throws(CommandError) -> ExitCode {
    if words.first == "--version" {
      if let command = named(["version"]), !command.name.isEmpty {
        return try execute(command, [], console)
      }
      console.print("\(help.name) \(help.version)")
      return .success
    }
    if help.isOneCommand, named(words).map({ $0.name.isEmpty }) ?? true {
      return try execute(commands[0], words[...], console)
    }
    guard let first = words.first else { throw usage("no command given") }
    switch first {
    case "--help", "-h": return show(HelpText(help).text, console)
    case "help":
      let rest = Array(words.dropFirst())
      return show(rest.isEmpty ? HelpText(help).text : try helpOf(rest), console)
    case _ where first.hasPrefix("-"): throw unknown("option", first, ["--help", "--version"])
    default: break
    }
    if named(words) == nil, words.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
      return show(try helpOf(words.filter { !$0.hasPrefix("-") }), console)
    }
    let command = try command(words)
    return try execute(command, words.dropFirst(command.words.count), console)
  }

  private func execute(
    _ command: any Command, _ words: ArraySlice<String>, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let parser = ArgumentParser(command: command, of: help.name)
    guard let arguments = try parser.parse(words) else {
      return show(HelpText(help).of(command), console)
    }
    return try command.run(arguments, console)
  }

  /// The help of one command, or of all whose names begin with these words.
  private func helpOf(_ words: [String]) throws(CommandError) -> String {
    let group = commands.filter { $0.words.starts(with: words) }
    if named(words) == nil, !group.isEmpty {
      return group.map(HelpText(help).of).joined(separator: "\n\n")
    }
    return HelpText(help).of(try command(words))
  }

  /// The command with the most words that the words begin with.
  private func named(_ words: [String]) -> (any Command)? {
    (commands + unlisted).filter { words.starts(with: $0.words) }
      .max { $0.words.count < $1.words.count }
  }

  /// The command that the words begin with.
  /// - Throws: A usage error that names the commands spelled nearly alike.
  func command(_ words: [String]) throws(CommandError) -> any Command {
    if let command = named(words) { return command }
    let first = words.first ?? ""
    let group = commands.filter { $0.words.count > 1 && $0.words[0] == first }
    guard group.isEmpty else {
      let next = group.map { $0.words[1] }
      guard words.count > 1 else {
        throw usage("'\(first)' needs \(next.joined(separator: " or "))")
      }
      throw unknown("command", "\(first) \(words[1])", group.map(\.name))
    }
    throw unknown("command", first, commands.map { $0.words.first ?? "" } + ["help"])
  }

  private func usage(_ message: String, remedy: String? = nil) -> CommandError {
    .usage(message, remedy: remedy ?? "see `\(help.name) --help`")
  }

  private func unknown(_ kind: String, _ name: String, _ known: [String]) -> CommandError {
    usage("unknown \(kind) '\(name)'", remedy: NearestNames.question(for: name, in: known))
  }

  private func show(_ text: String, _ console: Console) -> ExitCode {
    console.print(document: text)
    return .success
  }
}

extension DescribedCommand {
  /// The words that call it.
  fileprivate var words: [String] { name.split(separator: " ").map(String.init) }
}
