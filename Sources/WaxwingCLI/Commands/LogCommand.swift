// SPDX-License-Identifier: MIT

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
    try LogView(try LogFilter(arguments), console).run(arguments)
    return .success
  }
}
