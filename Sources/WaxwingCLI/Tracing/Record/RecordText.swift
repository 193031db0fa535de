// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// Prints recorded calls, and the outcome of calls that are made again.
enum RecordText {
  static func show(
    _ call: RecordedCall, of daemon: DaemonInfo, _ console: Console, isWhole: Bool = false,
    note: String? = nil
  ) {
    if console.reportsJSON {
      console.print(line: RecordedCallDocument(call, note: note), of: daemon)
    } else {
      console.print(line(call, isWhole: isWhole))
    }
  }

  /// `3  12:01:02.123  0.041 ms  bankd.Account.withdraw(_:memo:)  (500, "rent")  on bankd.Account(…)  = true`
  static func line(_ call: RecordedCall, isWhole: Bool = false) -> String {
    let number = String(call.number)
    let margin = String(repeating: " ", count: max(0, 4 - number.count))
    return "\(margin)\(number)  \(CallText.clock(call.began))  "
      + "\(CallText.milliseconds(call.outcome.cost))  \(head(call, isWhole))  \(text(call.outcome))"
  }

  private static func head(_ call: RecordedCall, _ isWhole: Bool = false) -> String {
    let receiver = CallText.shortened(call.receiver, isWhole: isWhole).map { "  on \($0)" } ?? ""
    return "\(call.selector)  (\(call.arguments))\(receiver)"
  }

  private static func text(_ outcome: RecordedOutcome) -> String {
    outcome.succeeded ? "= \(outcome.text.isEmpty ? "()" : outcome.text)" : "! \(outcome.text)"
  }

  /// Objects that the call makes are at other addresses each time.
  static func isSame(_ report: ReplayReport) -> Bool {
    func text(_ outcome: RecordedOutcome) -> String {
      outcome.text.replacing(#/@0x[0-9a-f]+/#, with: "")
    }
    return report.call.outcome.succeeded == report.outcome.succeeded
      && text(report.call.outcome) == text(report.outcome)
  }

  static func show(
    _ report: ReplayReport, of daemon: DaemonInfo, _ console: Console
  ) throws(CommandError) {
    if console.reportsJSON {
      try console.print(json: ReplayDocument(report), of: daemon)
    } else {
      console.print(lines(report))
    }
  }

  /// The lines of a replay: the call, its recorded outcome, and its new outcome.
  static func lines(_ report: ReplayReport) -> [String] {
    func row(_ title: String, _ outcome: RecordedOutcome) -> String {
      let margin = String(repeating: " ", count: max(0, 10 - title.count))
      return "  \(title)\(margin)\(text(outcome))  \(CallText.milliseconds(outcome.cost))"
    }
    let now = report.patch == nil ? "now" : "patched"
    return [
      "\(report.call.number)  \(head(report.call))", row("recorded", report.call.outcome),
      row(now, report.outcome) + (isSame(report) ? "" : "  differs"),
    ]
  }
}

/// A call that is kept, as `--json` prints it.
struct RecordedCallDocument: Encodable {
  let number, thread: Int
  let function, arguments: String
  /// The time at which the call began.
  let began: Moment
  let milliseconds: Double
  let receiver, result, error: String?
  /// Which calls of the function are not seen.
  let note: String?

  init(_ call: RecordedCall, note: String? = nil) {
    self.note = note
    (number, thread, began) = (call.number, call.thread, Moment(call.began))
    (function, arguments) = (call.selector, call.arguments)
    receiver = call.receiver.isEmpty ? nil : call.receiver
    milliseconds = call.outcome.cost * 1000
    result = call.outcome.succeeded ? call.outcome.text : nil
    error = call.outcome.succeeded ? nil : call.outcome.text
  }
}

/// A call that was made again, as `--json` prints it.
private struct ReplayDocument: Encodable {
  struct Outcome: Encodable {
    let result, error: String?
    let milliseconds: Double
  }

  let recorded: RecordedCallDocument
  let now: Outcome
  let patch: String?
  let usedPatch, isSame: Bool

  init(_ report: ReplayReport) {
    recorded = RecordedCallDocument(report.call)
    let outcome = report.outcome
    now = Outcome(
      result: outcome.succeeded ? outcome.text : nil, error: outcome.succeeded ? nil : outcome.text,
      milliseconds: outcome.cost * 1000)
    patch = report.patch
    usedPatch = report.usedPatch
    isSame = RecordText.isSame(report)
  }
}
