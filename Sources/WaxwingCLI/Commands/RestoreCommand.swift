// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing restore`: ends all patches and verifies the program's own code.
struct RestoreCommand: Command {
  let name = "restore"
  let summary = "ends all patches and verifies that the program's own code is back"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--wait TIME] [--now] [--json]"]
  let arguments = [Argument.daemon]
  let options = Option.daemon + [.wait, .now, .json]
  let notes = [
    """
    New calls run the program's own code at once. Calls inside a patch get --wait seconds to end;
    those that do not are listed, and the exit code is 5.
    """,
    """
    Objects of classes that a patch has made continue to use the patch's code as long as the program
    holds them. With --now they answer as their superclasses do at once.
    """,
  ]
  let examples = ["waxwing restore", "waxwing restore bankd --wait 2"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let wait = try arguments.seconds("--wait") ?? 10
    let daemon = try Daemon(at: path, arguments, waitSeconds: wait)
    let report = try daemon.send(
      RestoreRequest(waitSeconds: wait, now: arguments.has(.now)))
    return try RestoreOutcome.show(report, of: daemon.info, waited: wait, console)
  }
}
