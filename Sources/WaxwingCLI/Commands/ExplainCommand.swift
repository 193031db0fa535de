// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing explain`: what happens to calls of one function.
struct ExplainCommand: Command {
  let name = "explain"
  let summary = "shows which patches override a function, in which order, and where the original is"
  let usage = ["SELECTOR [PROGRAM | --program NAME | --socket PATH] [--json]"]
  let arguments = [
    Argument("SELECTOR", "the function, as `waxwing list` or `waxwing points` shows it", .override),
    .daemon,
  ]
  let options = Option.daemon + [.json]
  let notes = ["Accessors end in .get and .set: `waxwing explain Account.title.get`."]
  let examples = [
    "waxwing explain 'Bank.Account.withdraw(_:memo:)'", "waxwing explain Account.withdraw bankd",
  ]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let daemon = try Daemon(at: path, arguments)
    let request = ExplainRequest(selector: arguments.positional[0])
    let point = try daemon.send(request)
    if arguments.has(.json) {
      try console.print(json: point, of: daemon.info)
    } else {
      console.print(PointText(point: point, daemon.info).lines)
    }
    return .success
  }
}
