// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The output and the exit code of `restore` and `revert`.
enum RestoreOutcome {
  /// Prints the report.
  /// - Throws: ``CommandError`` if calls are still inside, or entries differ.
  static func show(
    _ report: RestoreReport, of daemon: DaemonInfo, waited: Double, _ console: Console
  ) throws(CommandError) -> ExitCode {
    if console.reportsJSON {
      try console.print(json: report, of: daemon)
    } else {
      console.print([report.message] + names(report) + outstanding(report))
    }
    if let reason = report.postponed {
      throw CommandError(
        .partial,
        "the program runs its own code, but the patches keep what they hold: \(reason)",
        remedy: "they end when that has ended; if it never does, restart the program")
    }
    guard report.differences.isEmpty else {
      throw CommandError(
        .partial,
        counted(report.differences.count, "entry differs", plural: "entries differ")
          + " from the baseline",
        details: report.differences,
        remedy: "something else wrote to them; restart the program to be sure of its code")
    }
    if let failure = report.storeFailure {
      throw CommandError(
        .partial, "restored in memory; store not updated: \(failure)",
        details: ["kept patches may be live again after a restart"],
        remedy: "fix that and repeat the command; WAXWING_DISABLE=1 starts without patches")
    }
    guard report.laggards.isEmpty else {
      let count = counted(report.laggards.count, "call is", plural: "calls are")
      throw CommandError(
        .stalled, "\(count) still inside a patch that has ended, after \(text(waited)) s",
        details: report.laggards.flatMap(lines),
        remedy:
          "new calls run the program's own code; what the patch holds is freed when these calls end"
      )
    }
    return .success
  }

  /// The names of patches that have ended, and of those that would be live after a restart no more.
  private static func names(_ report: RestoreReport) -> [String] {
    let isOne = report.endedPatches.count == 1 && report.message.hasPrefix("reverted ")
    return (isOne ? [] : report.endedPatches.map { "ended \($0)" })
      + (report.droppedPatches ?? []).map { "\($0) was not live; it is no longer kept" }
  }

  /// The activities that waited when the patches ended, and the calls in patches that had ended
  /// before, in words.
  private static func outstanding(_ report: RestoreReport) -> [String] {
    var lines = (report.stillInside ?? []).flatMap { laggard -> [String] in
      let place = Self.lines(laggard)
      return place.prefix(1).map { "still inside " + $0 } + place.dropFirst()
    }
    for (name, count) in (report.livingObjects ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append(
        "\(counted(count, "object", plural: "objects")) of \(name) \(count == 1 ? "goes" : "go") on with "
          + "the patch's code; --now ends that")
    }
    if let tasks = report.cancelledTasks, tasks > 0 {
      lines.append(counted(tasks, "task was", plural: "tasks were") + " cancelled")
    }
    for (name, calls) in Dictionary(grouping: report.abandonedCalls ?? [], by: \.self).sorted(
      by: { $0.key < $1.key })
    {
      lines.append(
        "\(name): \(counted(calls.count, "call", plural: "calls")) that waited went on "
          + "without the patch")
    }
    return lines
  }

  /// The call, and below it where it is.
  static func lines(_ laggard: Laggard) -> [String] {
    let name = laggard.threadName.isEmpty ? "" : " (\(laggard.threadName))"
    let place = laggard.threadID == 0 ? "waiting" : "thread \(laggard.threadID)\(name)"
    let head =
      "\(laggard.patch): \(laggard.selector), \(place), "
      + "for \(text(laggard.ageSeconds)) s"
    return [head] + laggard.stack.map { "  " + $0 }
  }

  /// A time in seconds with at most one decimal.
  private static func text(_ seconds: Double) -> String {
    guard seconds.magnitude < 1e9 else { return "\(seconds)" }
    let tenths = Int((seconds * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
