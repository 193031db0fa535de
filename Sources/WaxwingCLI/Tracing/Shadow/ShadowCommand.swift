// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing shadow`: runs a patch beside the program and says where it differs.
struct ShadowCommand: Command {
  let name = "shadow"
  let summary = "runs a patch beside the original on live calls, and reports where they differ"
  let usage = [
    "PATCH [PROGRAM] [-n COUNT] [--duration TIME] [--calls PERCENT [--key EXPR]] [--when EXPR] [--effects] "
      + "[--program NAME | --socket PATH] [--json]"
  ]
  let arguments = [
    Argument(
      "PATCH", "a .lua file, a folder with main.lua and its modules, or - for standard input",
      .patchFile), .daemon,
  ]
  let options =
    [
      Option("-n", "COUNT", "end after so many calls"),
      Option("--duration", "TIME", "end after this time (90s, 10m, 1h30m)"),
    ] + Option.selection + [
      Option("--effects", nil, "let the patch call methods and set properties, too"),
      .jsonLines,
    ] + Option.daemon
  let notes = [
    """
    For each call, the patch's override runs first, then the original, unless the override has called
    it. The program gets the result or error of the original. Calls that differ are shown with both,
    and a table of all calls follows at the end. If the override fails, its error is shown as the
    patch's.
    """,
    """
    The override may read properties, and call the original once with the arguments of the call.
    Everything else that may change something is refused, and the call counts as not compared:
    calling methods and closures, setting properties. With --effects the override may do all that,
    and its effects happen in addition to those of the original. Getters, and initializers of
    structs and enums, are assumed to change nothing.
    """,
    """
    The patch is admitted as by `waxwing apply`, and listed as NAME-shadow. It ends with this
    command, and within 15 seconds if the command is killed. The exit code is 1 if calls differed,
    or if a limit stopped the patch in one of them.
    """,
  ]
  let examples = [
    "waxwing shadow overdraft.lua --duration 10m", "waxwing shadow fees/ -n 1000 --calls 10%",
    "waxwing shadow fees/ --when 'args[1] > 1000' --json",
  ]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let patches = try CheckedPatch.all(at: arguments.positional)
    guard let patch = patches.first else { return .success }
    let path = try DaemonLocator(arguments).path(
      patchProgram: try CheckedPatch.program(of: patches))
    let most = try arguments.count("-n")
    let duration = try arguments.time("--duration")
    var request = ShadowRequest(patch: patch.payload)
    request.selection = try SelectionPayload(arguments, command: name)
    request.allowsEffects = arguments["--effects"] != nil
    let daemon = try Daemon(at: path, arguments)
    try patch.check(isFor: daemon.info)
    let report = try daemon.send(request)
    Interruption.catchSignals()
    announce(report, daemon, console)
    var view = ShadowView(of: daemon.info, console)
    let failure = watch(report, path, arguments, most, duration, &view)
    if failure == nil {
      let daemon = try Daemon(at: path, arguments, waitSeconds: 10)
      _ = try daemon.send(RevertRequest(name: report.name, waitSeconds: 10))
    }
    view.end()
    if let failure { throw failure }
    return view.hasDifferences ? .failure : .success
  }

  private func announce(_ report: ShadowReport, _ daemon: borrowing Daemon, _ console: Console) {
    let count = counted(report.overrides.count, "override")
    console.note(
      "comparing \(count) of \(report.name) with \(daemon.title); Ctrl-C ends it")
    for warning in report.warnings { console.warn("\(report.name): \(warning)") }
  }

  /// Shows events until the shadow is over.
  /// - Returns: The reason why it has ended before its time; nil if it has not.
  private func watch(
    _ report: ShadowReport, _ path: String, _ arguments: ParsedArguments, _ most: Int?,
    _ duration: Double?, _ view: inout ShadowView
  ) -> CommandError? {
    let end = duration.map { ContinuousClock.now + .seconds($0) }
    var isLast = false
    while !isLast {
      isLast = Interruption.hasCome || end.map { .now >= $0 } ?? false
      if !isLast { usleep(200_000) }
      do throws(CommandError) { view.add(try batch(report, path, arguments)) } catch {
        return error
      }
      if let most, view.callCount >= most { isLast = true }
    }
    return nil
  }

  private func batch(
    _ report: ShadowReport, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> ShadowBatch {
    let daemon = try Daemon(at: path, arguments)
    let batch = try daemon.send(ShadowCallsRequest(name: report.name))
    return batch
  }
}
