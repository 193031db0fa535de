// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing list`: the loaded patches with their overrides, calls and errors.
struct ListCommand: Command {
  let name = "list"
  let summary = "shows the loaded patches with their overrides, calls and errors"
  let usage = [
    "[PROGRAM | --program NAME | --socket PATH] [--json]",
    "[PROGRAM | --program NAME | --socket PATH] --watch [--every TIME] [--json]",
  ]
  let arguments = [Argument.daemon]
  let options =
    [
      Option("--watch", nil, "show the list again whenever it changes, until Ctrl-C"),
      Option("--every", "TIME", "how often --watch looks (default 1)"),
    ] + Option.daemon + [.json]
  let notes = [
    """
    Patches are listed in the order in which they were applied. If a function is overridden more
    than once, ORDER tells which override a call reaches first. The last error of each override
    follows the table. P50, P99 and LONGEST are shown if calls are measured (`waxwing times`).
    """,
    """
    If standard output is no terminal, --watch prints one line for each change, or with --json one
    document: a patch is applied, has ended, or is in another state; an override has been called, or
    has failed.
    """,
  ]
  let examples = [
    "waxwing list", "waxwing list bankd --json", "waxwing list --watch --every 0.5",
  ]
  let argumentCount = 0...1

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let patches: [PatchStatus]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let every = try arguments.seconds("--every")
    if every != nil, arguments["--watch"] == nil {
      throw .usage("'--every' is about --watch", command: name)
    }
    let path = try DaemonLocator(arguments).path()
    if arguments["--watch"] != nil {
      try ListWatch(path, arguments, every: every ?? 1).run(console)
      return .success
    }
    let daemon = try Daemon(at: path, arguments)
    let patches = try daemon.send(ListRequest())
    if arguments.has(.json) {
      let document = Document(daemon: daemon.info, patches: patches)
      try console.print(json: document)
    } else {
      let text = PatchListText(daemon: daemon.info, patches: patches)
      console.print(text.lines, as: patches.isEmpty ? .plain : .table)
    }
    return .success
  }
}
