// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing call`: gives a message to a patch and prints its reply.
struct CallCommand: Command {
  let name = "call"
  let summary = "gives a message to a patch's handler and prints the reply"
  let usage = [
    "NAME [JSON [PROGRAM]] [--wait TIME] [--program NAME | --socket PATH] [--timeout TIME] [--json]"
  ]
  let arguments = [
    Argument("NAME", "the handler's name, as the patch gave it to `bridge.handle`"),
    Argument("JSON", "the message; - reads it from standard input; null without it"),
    .daemon,
  ]
  let options =
    [
      Option(
        "--wait", "TIME", "how long to wait for a patch that has the handler (default 0)")
    ] + Option.daemon + [.json]
  let notes = [
    """
    The newest live patch that has a handler of this name gets the message. The reply may come later:
    --timeout says how long to wait for it. The exit code is 3 if the handler fails or refuses, or if no
    live patch has one, 4 if too many calls are waiting, and 5 if there is no reply in time.
    """
  ]
  let examples = ["waxwing call balance '{\"number\": 1001}'", "waxwing call ready --wait 60"]
  let argumentCount = 1...3

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let wait = try arguments.seconds("--wait") ?? 0
    let timeout = try arguments.seconds("--timeout") ?? 30
    let daemon = try Daemon(
      at: try DaemonLocator(arguments).path(), arguments, waitSeconds: wait)
    // The daemon gives up first, and says why.
    let request = CallRequest(
      name: arguments.positional[0], message: Self.message(arguments.positional.dropFirst().first),
      waitSeconds: wait, timeoutSeconds: max(timeout - 1, timeout / 2))
    let reply = try daemon.send(request)
    if arguments.has(.json) {
      try console.print(json: ["reply": JSONValue(parsing: reply)], of: daemon.info)
    } else {
      console.print(reply)
    }
    return .success
  }

  private static func message(_ argument: String?) -> String {
    guard argument == "-" else { return argument ?? "null" }
    var text = ""
    while let line = readLine(strippingNewline: false) { text += line }
    return text
  }
}
