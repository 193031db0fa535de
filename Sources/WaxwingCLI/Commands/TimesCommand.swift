// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing times`: how long calls of overrides take.
struct TimesCommand: Command {
  let name = "times"
  let summary = "measures how long calls of overrides and their originals take, and shows it"
  let usage = [
    "[PROGRAM | --program NAME | --socket PATH] [--json]",
    "on|off [PATCH…] [--program NAME | --socket PATH] [--json]",
  ]
  let arguments: [Argument] = [
    .daemon(at: 1),
    .word(
      "on", "starts to measure; without on or off, the command shows what was measured"),
    .word("off", "stops it"),
    Argument(
      "PATCH", "the name of a loaded patch; without one, all patches, now and later", .livePatch),
  ]
  let options = Option.daemon + [.json]
  let notes = [
    """
    A time is wall-clock time, from the moment a call enters an override until it leaves it. It
    includes the original and waits; times of the originals are shown below. P50 and P99 are at most an
    eighth too long. Nothing is measured until `on`. Measuring costs some 90 ns for each call, and as
    much for each original. It stops with `off`, and when the program ends. `waxwing list`, `explain`
    and `metrics` show times, too.
    """
  ]
  let examples = ["waxwing times on", "waxwing times on overdraft", "waxwing times"]
  let argumentCount = 0...64

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let measured: [String]
    let patches: [PatchStatus]?
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    guard let word = arguments.positional.first else {
      try show(try Daemon(at: path, arguments), arguments, console)
      return .success
    }
    guard firstWords.contains(word) else { throw unknownWord(word) }
    let daemon = try Daemon(at: path, arguments)
    try measure(
      word == "on", Array(arguments.positional.dropFirst()), daemon, arguments, console)
    return .success
  }

  private func measure(
    _ isOn: Bool, _ patches: [String], _ daemon: borrowing Daemon, _ arguments: ParsedArguments,
    _ console: Console
  ) throws(CommandError) {
    let names = try daemon.send(MeasureRequest(isOn: isOn, patches: patches))
    if arguments.has(.json) {
      let document = Document(daemon: daemon.info, measured: names, patches: nil)
      return try console.print(json: document)
    }
    let what =
      names.isEmpty ? "no live patch is measured" : "measured: " + names.joined(separator: ", ")
    let later = patches.isEmpty && isOn ? "; those applied from now on will be" : ""
    console.print("\(daemon.title): \(what)\(later)")
  }

  private func show(
    _ daemon: borrowing Daemon, _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) {
    let patches = try daemon.send(ListRequest())
    if arguments.has(.json) {
      let measured = patches.filter { $0.isMeasured == true }.map(\.name)
      let document = Document(daemon: daemon.info, measured: measured, patches: patches)
      try console.print(json: document)
    } else {
      console.print(TimesText(daemon: daemon.info, patches: patches).lines)
    }
  }
}
