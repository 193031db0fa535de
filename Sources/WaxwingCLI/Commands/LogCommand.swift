// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing log`: what patches have logged, and what has happened to them.
struct LogCommand: Command {
  let name = "log"
  let summary = "shows what patches log and what happens to them, once or as it goes on"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [-f] [OPTION…]"]
  let arguments = [Argument.daemon]
  let options =
    LogView.options + [
      Option(
        "--level", "LEVEL", "only events as important: debug, info, warning or error",
        .words(LogPage.Level.all.map(\.rawValue))),
      LogView.json,
    ] + Option.daemon
  let notes = [
    """
    The daemon keeps its last 1,000 events in memory. They are the same as in its log, wherever the
    program writes that: docs/control.md lists them.
    """
  ]
  let examples = ["waxwing log -f", "waxwing log bankd --patch overdraft --level warning"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    try LogView(try LogFilter(arguments), console).run(arguments)
    return .success
  }
}
