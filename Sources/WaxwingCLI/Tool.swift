// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The `waxwing` tool: its commands and its help.
enum Tool {
  static let program: CommandLineProgram = {
    var help = ProgramHelp(
      name: "waxwing", summary: summary, version: ControlProtocol.engineVersion)
    help.note = note
    help.environment = environment
    help.exitCodes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    help.examples = examples
    return CommandLineProgram(
      help, commands: commands, unlisted: unlisted)
  }()

  private static let commands: [any Command] = [
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
    ExecCommand(), FleetToolCommand(), RunCommand(), ShellCommand(), McpCommand(),
    CompletionCommand("waxwing", note: completes) { program.help }, VersionCommand(),
  ]

  /// Commands that scripts call and users do not type. No list has them.
  private static let unlisted: [any Command] = [
    CandidatesCommand(), ManualCommand("waxwing") { program.help }, ShellProgramCommand(),
  ]

  private static let completes = """
    The script knows commands, options, files where files are wanted, running daemons, and the live
    patches and overridden functions of the daemon that the line means.
    """

  private static let summary =
    "changes functions of a running Swift program from Lua and restores them"

  private static let note = """
    `waxwing COMMAND --help` explains a command. Results go to standard output, errors to
    standard error. The daemon is the one that --socket PATH, --program NAME or the name alone
    says, or that a patch is for, or the only one that is running. `waxwing daemons` lists them
    all; NAME@INSTANCE is one instance of a program.
    """

  /// The environment variables that the tool reads. Further lines of a meaning are below the first.
  private static let environment = [
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

  private static let examples = [
    "waxwing points ./bankd withdraw", "waxwing apply overdraft.lua", "waxwing list",
    "waxwing restore",
  ]
}
