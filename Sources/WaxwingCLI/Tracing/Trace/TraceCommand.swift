// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing trace`: shows the calls of functions as they happen.
struct TraceCommand: Command {
  let name = "trace"
  let summary = "shows the calls of functions, live, with arguments, results and times"
  let usage = ["PATTERN [PROGRAM | --program NAME | --socket PATH] [OPTION…]"]
  let arguments = [
    Argument(
      "PATTERN",
      "functions whose selectors contain this, as for `points`; closures too if `closure` is in it"
    ),
    .daemon,
  ]
  let options =
    [
      Option("-n", "COUNT", "end after so many calls; with --tree, so many trees"),
      Option("--duration", "TIME", "end after this time (90s, 10m, 1h30m)"),
      Option("--where", "EXPR", "only calls for which this Lua expression is true"),
      Option("--show", "EXPR", "show the value of this Lua expression, too"),
      Option("--depth", "N", "only calls that are nested no deeper; 1: outermost calls"),
      Option("--sample", "PERCENT", "only this share of the calls"),
      Option("--summary", nil, "count calls: number, errors, p50, p99, longest of each function"),
      Option("--every", "TIME", "how often --summary prints (default 5s)"),
      Option("--tree", nil, "show calls with those that they made, and their own times"),
      Option(
        "--fields", nil,
        "show properties of objects that can change, too; another thread may be changing them"),
      Option("--stack", nil, "show which functions led to each call"),
      Option(
        "--output", "FILE",
        "write the calls to a file, too: FILE.svg is a flame graph, others are for Perfetto or "
          + "chrome://tracing", .file),
      .jsonLines,
    ] + Option.daemon
  let notes = [
    """
    Expressions have self, args (args[1] is the first argument), result, error (nil if the call
    succeeded) and cost, in seconds: --where 'cost > 0.01 or error', --show 'self.balance'. They are
    code in the program: if the daemon requires signatures, only the role own may use them.
    """,
    """
    A trace is a patch that the daemon makes; `waxwing list` shows it. It ends with this command,
    and within 15 seconds if the command is killed. `waxwing restore` ends it, too. A call is
    printed when it has ended, indented by its depth in other calls that are shown. The tool asks
    for calls five times a second. In between, at most 500 are kept; the others are counted as
    dropped.
    """,
    """
    An object is shown with its type, its address and the properties that never change; … stands for
    the others. --fields reads them, too: those of an actor while the call is on it, and those of
    other classes without the lock that guards them. If another thread changes one at that moment,
    the program can crash.
    """,
  ]
  let examples = [
    "waxwing trace Account.withdraw -n 10", "waxwing trace RateService --where 'cost > 0.1'",
    "waxwing trace bankd. --summary --every 10",
    "waxwing trace bankd. --tree -n 1",
    "waxwing trace HTTP --duration 10s --output http.svg",
  ]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let settings = try TraceSettings(arguments)
    let path = try DaemonLocator(arguments).path()
    let file = try settings.output.map { (path) throws(CommandError) -> any TraceFile in
      path.hasSuffix(".svg") ? try FlameGraphFile(path) : try TraceEventFile(path)
    }
    let daemon = try Daemon(at: path, arguments)
    let report = try daemon.send(settings.request)
    Interruption.catchSignals()
    announce(report, daemon, console)
    var view = TraceView(report, settings, of: daemon.info, console, file)
    let failure = watch(report, settings, path, arguments, &view)
    try finish(report, path, arguments, view, failure, console)
    return .success
  }

  private func announce(_ report: TraceReport, _ daemon: borrowing Daemon, _ console: Console) {
    let count = counted(report.points.count, "function")
    console.note("tracing \(count) of \(daemon.title); Ctrl-C ends it")
    for refusal in report.refusals.prefix(5) {
      console.note("not traced: \(refusal.selector): \(refusal.reason)")
    }
    if report.refusals.count > 5 { console.note("and \(report.refusals.count - 5) others") }
    report.noteMissedCalls(console)
  }

  /// Shows calls until the trace is over, with those before an interruption or the end of its time.
  /// - Returns: Why it has ended before its time; nil: it has not.
  private func watch(
    _ report: TraceReport, _ settings: TraceSettings, _ path: String,
    _ arguments: ParsedArguments, _ view: inout TraceView
  ) -> CommandError? {
    let end = settings.duration.map { ContinuousClock.now + .seconds($0) }
    var isLast = false
    while !view.isComplete, !isLast {
      isLast = Interruption.hasCome || end.map { .now >= $0 } ?? false
      if !isLast { usleep(200_000) }
      do throws(CommandError) { try view.add(try batch(report, path, arguments)) } catch {
        return error
      }
    }
    view.end()
    return nil
  }

  private func batch(
    _ report: TraceReport, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> TraceBatch {
    let daemon = try Daemon(at: path, arguments)
    let batch = try daemon.send(TraceCallsRequest(name: report.name))
    return batch
  }

  private func finish(
    _ report: TraceReport, _ path: String, _ arguments: ParsedArguments, _ view: TraceView,
    _ failure: CommandError?, _ console: Console
  ) throws(CommandError) {
    if failure == nil {
      let daemon = try Daemon(at: path, arguments, waitSeconds: 10)
      _ = try daemon.send(RevertRequest(name: report.name, waitSeconds: 10))
    }
    try view.close()
    if view.dropped > 0 {
      console.note("\(counted(view.dropped, "call")) not shown: there were too many at once")
    }
    if let failure { throw failure }
  }
}

/// The options of one trace.
struct TraceSettings {
  let request: TraceRequest
  let duration: Double?
  /// Seconds between two summaries; nil: calls are shown.
  let every: Double?
  let output: String?
  /// Whether calls are shown together with those that they made.
  let isTree: Bool
  /// The number of calls or trees after which the trace ends.
  let most: Int?

  /// The largest number of callers of one call that `--stack` records.
  private static let mostCallers = 64

  init(_ arguments: ParsedArguments) throws(CommandError) {
    var request = TraceRequest(pattern: arguments.positional[0])
    request.counts = arguments["--summary"] != nil
    isTree = arguments["--tree"] != nil
    most = try arguments.count("-n")
    // Of a tree the innermost calls end first: the daemon does not know when one is complete.
    request.most = isTree ? nil : most
    request.depth = try arguments.count("--depth")
    request.condition = try arguments.expression("--where")
    request.shown = try arguments.expression("--show")
    if arguments["--fields"] != nil { request.showsFields = true }
    if arguments["--stack"] != nil { request.callers = Self.mostCallers }
    if let text = arguments["--sample"] {
      let number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text)
      guard let number, number > 0, number <= 100 else {
        throw .usage(
          "'--sample' needs a percentage above 0, such as 10%, not '\(text)'", command: "trace")
      }
      request.sample = max(1, Int((100 / number).rounded()))
    }
    let calls = [
      "-n", "--depth", "--where", "--show", "--sample", "--tree", "--output", "--stack",
      "--fields",
    ]
    if request.counts, let odd = calls.first(where: { arguments[$0] != nil }) {
      throw .usage("'\(odd)' is about single calls: leave out --summary", command: "trace")
    }
    if isTree, arguments["--sample"] != nil {
      throw .usage("'--sample' leaves out calls of a tree: leave out --tree", command: "trace")
    }
    if isTree, arguments["--stack"] != nil {
      throw .usage("'--stack' is about single calls: leave out --tree", command: "trace")
    }
    self.request = request
    duration = try arguments.time("--duration")
    every = request.counts ? try arguments.seconds("--every") ?? 5 : nil
    output = arguments["--output"]
  }
}
