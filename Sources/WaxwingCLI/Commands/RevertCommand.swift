// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing revert`: ends one patch.
struct RevertCommand: Command {
  let name = "revert"
  let summary = "ends one patch and leaves the others"
  let usage = ["NAME [PROGRAM | --program NAME | --socket PATH] [--wait TIME] [--now] [--json]"]
  let arguments = [
    Argument("NAME", "the patch, as `waxwing list` shows it", .livePatch),
    .daemon,
  ]
  let options = Option.daemon + [.wait, .now, .json]
  let examples = ["waxwing revert overdraft", "waxwing revert overdraft bankd --wait 2"]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let wait = try arguments.seconds("--wait") ?? 10
    let daemon = try Daemon(at: path, arguments, waitSeconds: wait)
    let request = RevertRequest(
      name: arguments.positional[0], waitSeconds: wait, now: arguments.has(.now))
    let report = try daemon.send(request)
    return try RestoreOutcome.show(report, of: daemon.info, waited: wait, console)
  }
}
