// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing record`: keeps calls, so that `waxwing replay` can make them again.
struct RecordCommand: Command {
  let name = "record"
  let summary = "keeps the calls of functions, to make them again"
  let usage = [
    "PATTERN [PROGRAM] [-n COUNT] [--duration TIME] [--where EXPR] [--most COUNT] [--fields] [--weak] [--for TIME] "
      + "[--program NAME | --socket PATH] [--json]"
  ]
  let arguments = [
    Argument(
      "PATTERN",
      "functions whose selectors contain this, as for `points`; closures too if `closure` is in it"
    ),
    .daemon,
  ]
  let options =
    [
      Option("-n", "COUNT", "end after so many calls"),
      Option("--duration", "TIME", "end after this time (90s, 10m, 1h30m)"),
      Option("--where", "EXPR", "only calls for which this Lua expression is true"),
      Option("--most", "COUNT", "keep the newest COUNT calls (default 100)"),
      Option(
        "--fields", nil,
        "show properties of objects that can change, too; another thread may be changing them"),
      Option("--weak", nil, "do not keep the objects of the calls alive"),
      Option("--for", "TIME", "forget the calls when nobody asks for so long (default 1h)"),
      .jsonLines,
    ] + Option.daemon
  let notes = [
    """
    Each call is kept with its receiver, its arguments and its outcome, and is printed with its
    number. When the command ends, recording stops, and the recorded calls stay in the daemon:
    `waxwing replay N` makes one again, `waxwing replay` lists them, `waxwing replay --end` forgets
    them. --where has self, args, result, error and cost, as `waxwing trace` has.
    """,
    """
    Objects that a call refers to live as long as the call is kept, unless --weak is given. Structs,
    enums, arrays and dictionaries are copies. A daemon keeps one record at a time. It is a patch
    that the daemon makes: `waxwing list` shows it and `waxwing restore` ends it. `waxwing trace --help`
    explains --fields.
    """,
  ]
  let examples = [
    "waxwing record Account.withdraw -n 20", "waxwing record RateService --where error --weak",
  ]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let most = try arguments.count("-n")
    let duration = try arguments.time("--duration")
    var request = RecordRequest(pattern: arguments.positional[0])
    request.most = most
    request.capacity = max(try arguments.count("--most") ?? 100, most ?? 0)
    if arguments["--fields"] != nil { request.showsFields = true }
    request.isWeak = arguments["--weak"] != nil
    request.condition = try arguments.expression("--where")
    request.patience = try arguments.time("--for") ?? request.patience
    let daemon = try Daemon(at: path, arguments)
    let report = try daemon.send(request)
    Interruption.catchSignals()
    let count = counted(report.points.count, "function")
    console.note("recording \(count) of \(daemon.title); Ctrl-C ends it")
    for refusal in report.refusals.prefix(5) {
      console.note("not recorded: \(refusal.selector): \(refusal.reason)")
    }
    report.noteMissedCalls(console)
    let missed = report.missedCalls
    let end = duration.map { ContinuousClock.now + .seconds($0) }
    var (last, shown) = (0, 0)
    var isLast = false
    while !isLast {
      isLast = Interruption.hasCome || end.map { .now >= $0 } ?? false
      if !isLast { usleep(200_000) }
      let batch = try Self.ask(isLast ? .stop : .calls(after: last), path, arguments).calls
      for call in batch.calls where call.number > last {
        RecordText.show(
          call, of: daemon.info, console, isWhole: request.showsFields == true,
          note: missed[call.selector])
        (last, shown) = (call.number, shown + 1)
      }
      if let most, shown >= most, !isLast {
        _ = try Self.ask(.stop, path, arguments)
        isLast = true
      }
    }
    console.note(
      shown == 0
        ? "no calls" : "\(counted(shown, "call")) kept; `waxwing replay N` makes one again")
    return .success
  }

  static func ask(
    _ question: RecordQuestion, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> (calls: RecordedCalls, daemon: DaemonInfo) {
    let daemon = try Daemon(at: path, arguments)
    return (try daemon.send(RecordsRequest(question: question)), daemon.info)
  }
}
