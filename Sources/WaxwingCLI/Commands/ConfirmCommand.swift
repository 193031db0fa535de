// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing confirm`: lets patches that are on trial stay.
struct ConfirmCommand: Command {
  let name = "confirm"
  let summary = "keeps patches that were applied with --trial"
  let usage = ["[NAME [PROGRAM]] [--program NAME | --socket PATH] [--json]"]
  let arguments = [
    Argument("NAME", "one of them; those that were applied together with it stay too", .livePatch),
    .daemon,
  ]
  let options = Option.daemon + [.json]
  let examples = ["waxwing confirm", "waxwing confirm overdraft --program bankd"]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    let request = ConfirmRequest(name: arguments.positional.first)
    let report = try daemon.send(request)
    let stays = report.isKept ? "stays, even after a restart" : "stays until the program ends"
    if arguments.has(.json) {
      try console.print(json: report, of: daemon.info)
    } else {
      console.print(report.names.map { "confirmed \($0): it \(stays)" })
    }
    return .success
  }
}
