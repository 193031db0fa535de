// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing status`: who a daemon is and how its patches do.
struct StatusCommand: Command {
  let name = "status"
  let summary = "shows the state of a daemon and its patches, in a few lines"
  private static let exitZero = Option(
    "--exit-zero", nil, "exit with 0 in every state")

  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--exit-zero] [--json]"]
  let arguments = [Argument.daemon]
  let options = Option.daemon + [exitZero, .json]
  let notes = [
    """
    The exit code is the state: 0 at baseline; 9 if patches are live and all is well; 10 if the
    program is degraded: overrides have failed, calls are inside patches that have ended, or
    replacement entries are not as they should be.
    """,
    """
    In a script with `set -e`, exit codes 9 and 10 end the script. With `--exit-zero`, only errors have
    a code other than 0: `state=$(waxwing status --exit-zero --json | jq -r .state)`.
    """,
  ]
  let examples = ["waxwing status", "waxwing status bankd --exit-zero --json"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let daemon = try Daemon(at: path, arguments)
    let status = try daemon.send(
      StatusRequest(isBrief: arguments.has(.json) ? nil : true))
    if arguments.has(.json) {
      try console.print(json: StatusDocument(status: status, uid: daemon.uid))
    } else {
      console.print(
        StatusText(status: status, user: UserText.other(daemon.uid)).lines,
        as: .status)
    }
    if arguments.has(Self.exitZero) { return .success }
    return switch status.condition {
    case .baseline: .success
    case .patched: .patched
    case .degraded: .degraded
    }
  }
}
