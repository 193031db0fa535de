// SPDX-License-Identifier: MIT

import WaxwingControl

/// `waxwing status`: who a daemon is and how its patches do.
struct StatusCommand: Command {
  let name = "status"
  let summary = "shows a daemon and how its patches do, in a few lines"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--json]"]
  let arguments = [HelpEntry("PROGRAM", "the daemon's program name")]
  let options = Option.daemon + [.json]
  let notes = [
    """
    The exit code says how the program is: 0 at baseline, 9 with patches of which all is well, 10
    degraded: overrides have failed, calls are in patches that have ended, or replacement entries
    are not what they should be.
    """
  ]
  let examples = ["waxwing status", "waxwing status bankd --json"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments, program: arguments.positional.first).path()
    let daemon = try Daemon(at: path, arguments)
    guard case .status(let status) = try daemon.send(.status) else {
      throw CommandError(Daemon.mismatch(name))
    }
    if arguments.has(.json) {
      console.print(document: try JSONText.of(status))
    } else {
      console.print(StatusText(status: status).lines)
    }
    return switch status.condition {
    case .baseline: .success
    case .patched: .patched
    case .degraded: .degraded
    }
  }
}
