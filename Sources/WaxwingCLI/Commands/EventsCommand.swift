// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing events`: shows what happens to patches, without messages of the patches themselves.
struct EventsCommand: Command {
  let name = "events"
  let summary = "shows what happens to patches: applied, ended, quarantined, switched off, …"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [-f] [OPTION…]"]
  let arguments = [Argument.daemon]
  let options = LogView.options + [LogView.json] + Option.daemon
  let notes = [
    """
    The command shows the events of `waxwing log` except messages of patches, single failures of
    their code, and refused clients. They tell of patches that go live and end, refused requests,
    trials, the start of kept patches, overrides that are switched off, and changes of the
    configuration.
    """
  ]
  let examples = ["waxwing events -f", "waxwing events bankd -n 100 --json"]
  let argumentCount = 0...1

  /// Names of events about a single call or line instead of a patch as a whole.
  private static let leftOut: Set<String> = [
    "patch.log", "log.dropped", "override.failed", "override.bypassed", "closure.failed",
    "callback.failed", "task.failed", "closure.held", "client.refused",
  ]

  static func takes(_ line: LogPage.Line) -> Bool { !leftOut.contains(line.event) }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    try LogView(try LogFilter(arguments, Self.takes), console).run(arguments)
    return .success
  }
}
