// SPDX-License-Identifier: MIT

import WaxwingControl

/// `waxwing list`: the loaded patches with their overrides, calls and errors.
struct ListCommand: Command {
  let name = "list"
  let summary = "shows the loaded patches with their overrides, calls and errors"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--json]"]
  let arguments = [Argument("PROGRAM", "the daemon's program name", .daemon)]
  let options = Option.daemon + [.json]
  let notes = [
    """
    Patches are listed in the order in which they were applied. If a function is overridden more than
    once, ORDER tells which override a call reaches first. The last error of each override follows the
    table.
    """
  ]
  let examples = ["waxwing list", "waxwing list bankd --json"]
  let argumentCount = 0...1

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let patches: [PatchStatus]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments, program: arguments.positional.first).path()
    let daemon = try Daemon(at: path, arguments)
    guard case .list(let patches) = try daemon.send(.list) else {
      throw CommandError(Daemon.mismatch(name))
    }
    if arguments.has(.json) {
      let document = Document(daemon: daemon.info, patches: patches)
      console.print(document: try JSONText.of(document))
    } else {
      let text = PatchListText(daemon: daemon.info, patches: patches)
      console.print(text.lines, as: patches.isEmpty ? .plain : .table)
    }
    return .success
  }
}
