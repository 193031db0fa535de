// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing instances`: shows the living objects of a class.
struct InstancesCommand: Command {
  let name = "instances"
  let summary = "shows the living objects of a class that were made since it began to look"
  let usage = [
    "CLASS [PROGRAM] [--where EXPR] [--fields] [--for TIME] [--program NAME | --socket PATH] [--json]",
    "CLASS [PROGRAM] --duration TIME [--where EXPR] [--fields] [--program NAME | --socket PATH] "
      + "[--json]",
    "CLASS [PROGRAM] --end [--program NAME | --socket PATH] [--json]",
  ]
  let arguments = [
    Argument("CLASS", "the class's name: bankd.Account, or Account if that is enough"), .daemon,
  ]
  let options =
    [
      Option("--where", "EXPR", "only objects for which this Lua expression over self is true"),
      Option(
        "--fields", nil,
        "show properties of objects that can change, too; another thread may be changing them"),
      Option("--duration", "TIME", "look for this time, show what there is, and end"),
      Option("--for", "TIME", "end by itself when nobody asks for so long (default 1h)"),
      Option("--end", nil, "do not look any more"),
      .json,
    ] + Option.daemon
  let notes = [
    """
    At the first call, the daemon begins to note the objects that the class's initializers make,
    including those of its subclasses. Each further call shows the objects that are alive, with the
    properties that never change; --fields shows the others, too (see `waxwing trace --help`). The
    command does not keep objects alive. It does not know objects that were made before.
    """,
    """
    The daemon makes a patch for this: `waxwing list` shows it and `waxwing restore` ends it. At most
    10,000 living objects are noted.
    """,
  ]
  let examples = [
    "waxwing instances Account", "waxwing instances HTTPConnection --duration 10s",
    "waxwing instances Account --where 'self.balance < 0'",
  ]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let duration = try arguments.time("--duration")
    var request = InstancesRequest(type: arguments.positional[0])
    request.condition = try arguments.expression("--where")
    request.patience = try arguments.time("--for") ?? request.patience
    if arguments["--fields"] != nil { request.showsFields = true }
    request.ends = arguments["--end"] != nil
    var (report, daemon) = try ask(request, path, arguments)
    if request.ends {
      if console.reportsJSON {
        try console.print(json: ["ended": report.name], of: daemon)
      } else {
        console.print("ended \(report.name)")
      }
      return .success
    }
    if let duration {
      Interruption.catchSignals()
      let end = ContinuousClock.now + .seconds(duration)
      while !Interruption.hasCome, .now < end { usleep(100_000) }
      request.ends = true
      (report, daemon) = try ask(request, path, arguments)
    }
    try show(report, of: daemon, console)
    return .success
  }

  private func ask(
    _ request: InstancesRequest, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> (InstancesReport, DaemonInfo) {
    let daemon = try Daemon(at: path, arguments)
    return (try daemon.send(request), daemon.info)
  }

  private struct Document: Encodable {
    let type: String
    let isNew: Bool
    let made, living, missed: Int
    let objects: [String]
    let failure: String?
  }

  private func show(
    _ report: InstancesReport, of daemon: DaemonInfo, _ console: Console
  ) throws(CommandError) {
    if console.reportsJSON {
      return try console.print(
        json: Document(
          type: report.type, isNew: report.isNew, made: report.made, living: report.living,
          missed: report.missed, objects: report.objects, failure: report.failure), of: daemon)
    }
    if report.isNew {
      console.print(
        "noting the objects of \(report.type) that are made from now on; ask again to see them")
      return
    }
    if !report.objects.isEmpty { console.print(report.objects) }
    console.note(
      "\(report.living) living of \(counted(report.made, "object")) of \(report.type) made since")
    if report.missed > 0 {
      console.warn("\(counted(report.missed, "object")) not noted: there were too many at once")
    }
    if let failure = report.failure { console.warn("--where failed: \(failure)") }
  }
}
