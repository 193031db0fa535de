// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing replay`: makes calls again that `waxwing record` has kept.
struct ReplayCommand: Command {
  let name = "replay"
  let summary = "lists recorded calls, and makes one again, also through a patch on trial"
  let usage = [
    "[N [--patch PATCH]] [PROGRAM | --program NAME | --socket PATH] [--json]",
    "--end [PROGRAM | --program NAME | --socket PATH] [--json]",
  ]
  let arguments = [
    Argument("N", "the number of a recorded call; without it, all are listed"), .daemon,
  ]
  let options =
    [
      Option(
        "--patch", "PATCH", "let this patch take part in the call, and in no other", .patchFile),
      Option("--end", nil, "forget all recorded calls"),
      .json,
    ] + Option.daemon
  let notes = [
    """
    The call is made with the recorded arguments, on the same object in its present state, and has
    all effects of such a call. Without --patch it goes through the program and the patches that are
    live now. With --patch it also goes through that patch, which is admitted as by `waxwing apply`,
    takes part in no other call, and ends with this one. The outcome is shown next to the recorded
    one. The exit code is 1 if they differ.
    """,
    """
    Initializers, calls with closures that have ended, and async functions with --patch are refused.
    """,
  ]
  let examples = ["waxwing replay", "waxwing replay 3", "waxwing replay 3 --patch overdraft.lua"]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    // A first argument that is no number names the program.
    let first = arguments.positional.first
    let isProgram = arguments.daemon == nil && first.map { !($0.first?.isNumber ?? false) } ?? false
    let locator = try DaemonLocator(arguments, program: isProgram ? first : nil)
    if arguments["--end"] != nil { return try end(arguments, isProgram, locator, console) }
    guard let text = first, !isProgram else {
      guard arguments["--patch"] == nil else {
        throw .usage("'--patch' needs the number of a recorded call", command: name)
      }
      return try list(try locator.path(), arguments, console)
    }
    guard let number = Int(text), number > 0 else {
      throw .usage("'\(text)' is no number of a recorded call", command: name)
    }
    var request = ReplayRequest(number: number)
    var patches: [CheckedPatch] = []
    if let file = arguments["--patch"] { patches = try CheckedPatch.all(at: [file]) }
    request.patch = patches.first?.payload
    let path = try locator.path(patchProgram: try CheckedPatch.program(of: patches))
    let daemon = try Daemon(at: path, arguments, waitSeconds: 70)
    for patch in patches { try patch.check(isFor: daemon.info) }
    let report = try daemon.send(request)
    try RecordText.show(report, of: daemon.info, console)
    for warning in report.warnings { console.warn("\(report.patch ?? ""): \(warning)") }
    if let patch = report.patch, !report.usedPatch {
      console.warn("the call did not come to any override of \(patch)")
    }
    return RecordText.isSame(report) ? .success : .failure
  }

  private func list(
    _ path: String, _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let (calls, daemon) = try RecordCommand.ask(.calls(after: 0), path, arguments)
    if console.reportsJSON {
      try console.print(
        json: ["calls": calls.calls.map({ RecordedCallDocument($0) })], of: daemon)
      return .success
    }
    for call in calls.calls { RecordText.show(call, of: daemon, console) }
    if calls.calls.isEmpty { console.print("no calls") }
    if calls.forgotten > 0 {
      console.note("\(counted(calls.forgotten, "older call")) forgotten; --most keeps more")
    }
    return .success
  }

  /// What `--end --json` prints.
  private struct EndedDocument: Encodable {
    let ended: String
    /// The number of calls that were forgotten.
    let forgotten: Int
  }

  private func end(
    _ arguments: ParsedArguments, _ isProgram: Bool, _ locator: DaemonLocator, _ console: Console
  ) throws(CommandError) -> ExitCode {
    guard arguments.positional.count <= (isProgram ? 1 : 0), arguments["--patch"] == nil else {
      throw .usage("'--end' forgets all calls: leave out the rest", command: name)
    }
    let path = try locator.path()
    let calls = try RecordCommand.ask(.calls(after: 0), path, arguments).calls
    let daemon = try Daemon(at: path, arguments, waitSeconds: 10)
    _ = try daemon.send(RevertRequest(name: calls.name, waitSeconds: 10))
    if console.reportsJSON {
      try console.print(
        json: EndedDocument(ended: calls.name, forgotten: calls.calls.count), of: daemon.info)
      return .success
    }
    console.print("\(counted(calls.calls.count, "call")) of \(calls.name) forgotten")
    return .success
  }
}
