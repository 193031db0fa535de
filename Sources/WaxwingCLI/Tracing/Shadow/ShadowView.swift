// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// Prints what a shadow sees: calls that differ as they come, and a table at the end.
struct ShadowView {
  private let daemon: DaemonInfo
  private let console: Console
  private var counts: [String: ShadowCount] = [:]
  private var dropped = 0

  init(of daemon: DaemonInfo, _ console: Console) {
    self.daemon = daemon
    self.console = console
  }

  /// How many calls were looked at.
  var callCount: Int { counts.values.reduce(0) { $0 + $1.calls } }

  var hasDifferences: Bool { counts.values.contains { $0.different > 0 || $0.stopped > 0 } }

  mutating func add(_ batch: ShadowBatch) {
    dropped += batch.dropped
    for call in batch.calls {
      if console.reportsJSON {
        console.print(line: ShadowCallDocument(call), of: daemon)
      } else {
        console.print(Self.lines(call))
      }
    }
    for count in batch.functions {
      counts[count.function] = counts[count.function]?.adding(count) ?? count
    }
  }

  /// The lines of a call: the call, its outcome without the patch, and its outcome with the patch.
  static func lines(_ call: ShadowCall) -> [String] {
    let receiver = CallText.shortened(call.receiver).map { "  on \($0)" } ?? ""
    let head = "\(CallText.clock(call.ended))  \(call.function)  (\(call.arguments))\(receiver)"
    let original = "  original  \(text(call.original))  \(CallText.milliseconds(call.originalCost))"
    guard let patch = call.patch else {
      return [head, original, "  not compared: \(call.reason ?? "")"]
    }
    return [head, original, "  patch     \(text(patch))  \(CallText.milliseconds(call.patchCost))"]
  }

  private static func text(_ outcome: ShadowCall.Outcome) -> String {
    outcome.succeeded ? "= \(outcome.text.isEmpty ? "()" : outcome.text)" : "! \(outcome.text)"
  }

  /// Prints the counts of all calls.
  func end() {
    let rows = counts.values.sorted { $0.function < $1.function }
    if dropped > 0 {
      console.note("\(counted(dropped, "call")) not shown: there were too many at once")
    }
    if console.reportsJSON {
      console.print(line: ["functions": rows.map(ShadowCountDocument.init)], of: daemon)
      return
    }
    if rows.isEmpty { return console.print("no calls") }
    var table = TextTable(columns: [
      "FUNCTION", .number("CALLS"), .number("SAME"), .number("DIFFERENT"),
      .number("FAILED: LIMIT"), .number("NOT COMPARED"), .number("ORIGINAL"), .number("PATCH"),
    ])
    table.rows = rows.map { count in
      [
        count.function, "\(count.calls)", "\(count.same)", "\(count.different)",
        "\(count.stopped)", "\(count.uncompared)", CallText.milliseconds(count.originalMean),
        CallText.milliseconds(count.patchMean),
      ]
    }
    console.print(table.lines, as: .table)
  }
}

extension ShadowCount {
  fileprivate var calls: Int { same + different + uncompared + stopped }
  /// Calls in which a limit has stopped the patch.
  fileprivate var stopped: Int { failed ?? 0 }
  /// The mean time of a call of the original, in seconds.
  fileprivate var originalMean: Double { originalSeconds / Double(max(calls, 1)) }
  /// The mean time of a call of the patch, in seconds.
  fileprivate var patchMean: Double { patchSeconds / Double(max(calls, 1)) }

  /// The counts of two spans of time together.
  fileprivate func adding(_ other: ShadowCount) -> ShadowCount {
    ShadowCount(
      function: function, same: same + other.same, different: different + other.different,
      uncompared: uncompared + other.uncompared, failed: stopped + other.stopped,
      originalSeconds: originalSeconds + other.originalSeconds,
      patchSeconds: patchSeconds + other.patchSeconds)
  }
}

/// A call that differs, as `--json` prints it.
private struct ShadowCallDocument: Encodable {
  struct Outcome: Encodable {
    let result, error: String?
    let milliseconds: Double

    init(_ outcome: ShadowCall.Outcome, _ seconds: Double) {
      result = outcome.succeeded ? outcome.text : nil
      error = outcome.succeeded ? nil : outcome.text
      milliseconds = seconds * 1000
    }
  }

  let function, arguments: String
  let receiver, notCompared: String?
  /// The time at which the call ended.
  let ended: Moment
  let original: Outcome
  let patch: Outcome?

  init(_ call: ShadowCall) {
    (function, arguments, ended) = (call.function, call.arguments, Moment(call.ended))
    receiver = call.receiver.isEmpty ? nil : call.receiver
    notCompared = call.reason
    original = Outcome(call.original, call.originalCost)
    patch = call.patch.map { Outcome($0, call.patchCost) }
  }
}

/// A function's calls, as `--json` prints them at the end.
private struct ShadowCountDocument: Encodable {
  let function: String
  let calls, same, different, failed, notCompared: Int
  /// The mean times of a call.
  let originalMilliseconds, patchMilliseconds: Double

  init(_ count: ShadowCount) {
    function = count.function
    (calls, same, different) = (count.calls, count.same, count.different)
    (failed, notCompared) = (count.stopped, count.uncompared)
    originalMilliseconds = count.originalMean * 1000
    patchMilliseconds = count.patchMean * 1000
  }
}
