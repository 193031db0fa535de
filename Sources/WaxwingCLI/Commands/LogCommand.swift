// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations

/// `waxwing log`: what patches have logged, and what has happened to them.
struct LogCommand: Command {
  let name = "log"
  let summary = "shows what patches log and what happens to them, once or as it goes on"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [-f] [OPTION…]"]
  let arguments = [Argument("PROGRAM", "the daemon's program name", .daemon)]
  let options =
    [
      Option("-f", nil, "go on with what comes, until Ctrl-C"),
      Option("-n", "COUNT", "how many lines to begin with (default 20, 200 at most)"),
      Option("--patch", "NAME", "only events of this patch", .livePatch),
      Option(
        "--level", "LEVEL", "only events as important: debug, info, warning or error",
        .words(LogFilter.levels)),
      Option("--json", nil, "print events as JSON, a line each"),
    ] + Option.daemon
  let notes = [
    """
    The daemon keeps its last 1,000 events in memory. They are those that its log has, whatever the
    program does with that: docs/control.md lists them.
    """
  ]
  let examples = ["waxwing log -f", "waxwing log bankd --patch overdraft --level warning"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments, program: arguments.positional.first).path()
    var follower = LogFollower(path, arguments)
    let filter = try LogFilter(arguments)
    // Of other patches there may be many lines.
    let most = filter.takesAll ? min(try arguments.count("-n") ?? 20, 200) : 200
    let first = try follower.next(atMost: most).filter(filter.takes)
    show(first.suffix(try arguments.count("-n") ?? 20), console)
    guard arguments["-f"] != nil else { return .success }
    Interruption.catchSignals()
    while !Interruption.hasCome {
      usleep(200_000)
      show(try follower.next(atMost: 200).filter(filter.takes)[...], console)
    }
    return .success
  }

  private func show(_ lines: ArraySlice<LogPage.Line>, _ console: Console) {
    if !lines.isEmpty { console.print(lines.map { console.reportsJSON ? $0.json : $0.text }) }
  }
}

/// Which events are wanted.
struct LogFilter {
  static let levels = ["debug", "info", "warning", "error"]

  private let patch: String?
  private let levels: [String]?

  init(_ arguments: ParsedArguments) throws(CommandError) {
    patch = arguments["--patch"]
    guard let level = arguments["--level"] else {
      levels = nil
      return
    }
    guard let index = Self.levels.firstIndex(of: level) else {
      throw .usage(
        "'--level' needs \(Self.levels.joined(separator: ", ")), not '\(level)'", command: "log",
        remedy: NearestNames.question(for: level, in: Self.levels))
    }
    levels = Array(Self.levels[index...])
  }

  /// Whether nothing is left out.
  var takesAll: Bool { patch == nil && levels == nil }

  func takes(_ line: LogPage.Line) -> Bool {
    (patch.map { $0 == line.patch } ?? true) && (levels.map { $0.contains(line.level) } ?? true)
  }
}
