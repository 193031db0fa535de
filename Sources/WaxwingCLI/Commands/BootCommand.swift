// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing boot`: what became of the kept patches when the program started.
struct BootCommand: Command {
  let name = "boot"
  let summary = "shows the kept patches; starts or forgets those that were set aside"
  let usage = ["[retry | drop] [PROGRAM | --program NAME | --socket PATH] [--json]"]
  let arguments: [Argument] = [
    .word("retry", "start them again, at the program's next start"),
    .word("drop", "forget them: quarantined patches, and kept ones that are not live"),
    .daemon(at: 1, 2),
  ]
  let options = Option.daemon + [.json]
  let notes = [
    """
    A kept patch in which the program died twice within ten minutes is quarantined. After three
    starts in which the program did not stay up for half a minute, no kept patch is started. Both
    remain so until you use one of these commands, or apply the patch with --keep again.
    """
  ]
  let examples = ["waxwing boot", "waxwing boot retry --program bankd"]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let word = arguments.positional.first ?? "show"
    guard let action = BootAction(rawValue: word) else { throw unknownWord(word) }
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    let status = try daemon.send(BootRequest(action: action))
    if arguments.has(.json) {
      try console.print(json: status, of: daemon.info)
    } else {
      console.print(lines(status, action))
    }
    return .success
  }

  private func lines(_ status: BootStatus, _ action: BootAction) -> [String] {
    var lines = status.changes
    if action != .show, lines.isEmpty { lines.append("nothing was set aside") }
    let shown = BootText(status: status).lines
    lines += shown.isEmpty && action == .show ? ["nothing is kept"] : shown
    return lines
  }
}
