// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingPatches
import WaxwingToolKit

/// The `waxwing` tool: finds the command, parses its arguments, reports its errors.
struct CommandLineTool {
  static let commands: [any Command] = [
    InitCommand(), ApplyCommand(), CheckCommand(), TestCommand(), ListCommand(),
    StatusCommand(), DaemonsCommand(), TimesCommand(), ExplainCommand(), VersionsCommand(),
    ObjectsCommand(), ConfirmCommand(), CallCommand(), HandleCommand(),
    TraceCommand(), ShadowCommand(), RecordCommand(), ReplayCommand(),
    InstancesCommand(),
    LogCommand(), EventsCommand(), WatchCommand(), TopCommand(), DebugCommand(),
    RevertCommand(), RestoreCommand(), BootCommand(),
    StoreCommand(), AuditCommand(), MetricsCommand(),
    ConfigCommand(), SignCommand(), VerifyCommand(),
    PointsCommand(), StubsCommand(), FactsCommand(),
    DoctorCommand(),
    ExecCommand(), FleetCommand(), RunCommand(), ShellCommand(), McpCommand(),
    CompletionCommand(), VersionCommand(),
  ]

  /// Those that scripts call and nobody types: they are in no list.
  static let unlisted: [any Command] = [
    CandidatesCommand(), ManualCommand(), ShellProgramCommand(),
  ]

  /// What its manual and its completions are made from.
  static var help: ProgramHelp {
    var help = ProgramHelp(
      name: "waxwing", summary: HelpText.summary, version: ControlProtocol.engineVersion,
      commands: commands)
    help.note = HelpText.note
    help.environment = HelpText.environment
    help.exitCodes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    help.examples = HelpText.examples
    return help
  }

  let console: Console

  /// Runs one command line, without the tool's own name.
  func run(_ words: [String]) -> ExitCode {
    console.reportsJSON = Self.wantsJSON(words)
    do throws(CommandError) {
      let exitCode = try execute(words)
      try console.checkOutput()
      return exitCode
    } catch {
      console.report(error)
      return error.exitCode
    }
  }

  /// Also where the arguments are wrong: errors have one form.
  private static func wantsJSON(_ words: [String]) -> Bool {
    guard let name = words.first, let command = known(name) else {
      return false
    }
    let options = words.prefix { $0 != "--" }
    return command.options.contains { $0.name == Option.json.name }
      && options.contains(Option.json.name)
  }

  private func execute(_ words: [String]) throws(CommandError) -> ExitCode {
    guard let first = words.first else {
      throw .usage("no command given", remedy: "see `waxwing --help`")
    }
    switch first {
    case "--help", "-h": return show(HelpText.tool)
    case "help":
      guard words.count > 1 else { return show(HelpText.tool) }
      return show(HelpText.of(try Self.command(words[1])))
    case "--version": return try VersionCommand().run(ParsedArguments(), console)
    case _ where first.hasPrefix("-"): throw Self.unknown("option", first, ["--help", "--version"])
    default: break
    }
    let command = try Self.command(first)
    let parser = ArgumentParser(command: command)
    guard let arguments = try parser.parse(words.dropFirst()) else {
      return show(HelpText.of(command))
    }
    return try command.run(arguments, console)
  }

  private static func known(_ name: String) -> (any Command)? {
    (commands + unlisted).first { $0.name == name }
  }

  static func command(_ name: String) throws(CommandError) -> any Command {
    if let command = known(name) { return command }
    throw unknown("command", name, commands.map(\.name) + ["help"])
  }

  private static func unknown(_ kind: String, _ name: String, _ known: [String]) -> CommandError {
    .usage("unknown \(kind) '\(name)'", remedy: NearestNames.question(for: name, in: known))
  }

  private func show(_ text: String) -> ExitCode {
    console.print(document: text)
    return .success
  }
}
