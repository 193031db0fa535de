// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing objects`: what patches hold of a program.
struct ObjectsCommand: Command {
  let name = "objects"
  let summary = "shows which objects and values the loaded patches hold, by class"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--uncollected] [--json]"]
  let arguments = [Argument.daemon]
  let options =
    Option.daemon + [
      Option(
        "--uncollected", nil, "count also what Lua code no longer uses but has not collected yet"),
      .json,
    ]
  let notes = [
    """
    Each patch collects its garbage first, so the counts are of what it keeps alive. objects() in a
    patch, and WaxwingEngine.liveObjects() in the program, return the same counts.
    """
  ]
  let examples = ["waxwing objects", "waxwing objects bankd --json"]
  let argumentCount = 0...1

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let patches: [HeldObjects]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let daemon = try Daemon(at: path, arguments)
    let request = ObjectsRequest(collect: arguments["--uncollected"] == nil)
    let patches = try daemon.send(request)
    if arguments.has(.json) {
      let document = Document(daemon: daemon.info, patches: patches)
      try console.print(json: document)
    } else {
      console.print(HeldObjectsText(daemon: daemon.info, patches: patches).lines)
    }
    return .success
  }
}
