// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// `waxwing daemons`: which daemons can be reached from here.
struct DaemonsCommand: Command {
  let name = "daemons"
  let summary = "shows the running daemons and instances with their users and sockets"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--timeout TIME] [--json]"]
  let arguments = [Argument.daemon]
  let options = [
    Option.program, .socket,
    Option("--timeout", "TIME", "give up on a socket after this time (default 1s)"), .json,
  ]
  let notes = [
    """
    Looks in WAXWING_SOCKET_DIR only, if it is set; otherwise in the folder of your user, in
    /run/waxwing, and in the folders in that, which belong to services with their own users. NAME is
    what `--program` takes: `bankd`, or `bankd@blue` or `bankd@4711` for an instance. `bankd@PID`
    works for every instance. With --program or --socket, only the daemons that they mean are shown.
    """
  ]
  let examples = ["waxwing daemons", "sudo waxwing daemons --json"]
  let argumentCount = 0...1

  private struct Document: Encodable {
    struct Entry: Encodable {
      let name: String
      let program: String
      let instance: String?
      let pid: Int32?
      let uid: UInt32
      let user: String?
      let socket: String
    }

    let daemons: [Entry]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let places = SocketPlaces.current()
    let timeout = try arguments.seconds("--timeout") ?? 1
    let locator = try DaemonLocator(arguments)
    let findings: SocketPlaces.Findings
    do { findings = try places.liveDaemons(timeout: timeout) } catch { throw CommandError(error) }
    let daemons = findings.daemons.filter(locator.means)
    for error in findings.leftOut { console.warn(error.message) }
    if arguments.has(.json) {
      let entries = daemons.map(Self.entry)
      try console.print(json: Document(daemons: entries))
    } else if daemons.isEmpty {
      console.print("nothing listens in \(places.title)")
    } else {
      console.print(Self.table(daemons), as: .table)
    }
    return .success
  }

  private static func entry(_ daemon: LiveDaemon) -> Document.Entry {
    Document.Entry(
      name: daemon.name.text, program: daemon.program, instance: daemon.name.instance,
      pid: daemon.pid, uid: daemon.uid, user: AccountNames.name(ofUser: daemon.uid),
      socket: daemon.path)
  }

  private static func table(_ daemons: [LiveDaemon]) -> [String] {
    var table = TextTable(columns: [
      "NAME", .number("PID"), "USER",
      "SOCKET",
    ])
    table.rows = daemons.map { daemon in
      [
        daemon.name.text, daemon.pid.map { "\($0)" } ?? "busy",
        AccountNames.name(ofUser: daemon.uid) ?? "\(daemon.uid)", daemon.path,
      ]
    }
    return table.lines
  }
}
