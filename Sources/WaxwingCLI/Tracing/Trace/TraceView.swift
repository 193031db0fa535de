// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// Prints what a trace sees.
struct TraceView {
  private let report: TraceReport
  private let settings: TraceSettings
  private let daemon: DaemonInfo
  private let console: Console
  private var file: (any TraceFile)?
  private var builder = CallTreeBuilder()
  private let symbolizer: Symbolizer
  private let missed: [String: String]
  private var shown = 0
  private var counts: [Int: TraceCount] = [:]
  private var nextSummary: ContinuousClock.Instant
  private(set) var dropped = 0

  init(
    _ report: TraceReport, _ settings: TraceSettings, of daemon: DaemonInfo, _ console: Console,
    _ file: (any TraceFile)?
  ) {
    self.report = report
    self.settings = settings
    self.daemon = daemon
    self.console = console
    self.file = file
    symbolizer = Symbolizer(report.images ?? [])
    missed = report.missedCalls
    nextSummary = .now + .seconds(settings.every ?? 0)
  }

  /// Whether all calls that were wanted have been shown.
  var isComplete: Bool { settings.most.map { shown >= $0 } ?? false }

  mutating func add(_ batch: TraceBatch) throws(CommandError) {
    dropped += batch.dropped
    for call in batch.calls where report.points.indices.contains(call.point - 1) {
      let selector = report.points[call.point - 1]
      try file?.add(call, selector)
      if settings.isTree {
        for tree in builder.add(call, selector) where !isComplete { show(tree) }
      } else {
        shown += 1
        let callers = call.callers.map { $0.map(symbolizer.name) }
        if console.reportsJSON {
          let document = TracedCallDocument(
            call, selector, callers: callers, note: missed[selector])
          console.print(line: document, of: daemon)
        } else {
          let line = Self.line(call, selector, isWhole: settings.request.showsFields == true)
          console.print([line] + (callers ?? []).map { "    from \($0)" })
        }
      }
    }
    for count in batch.counts {
      counts[count.point] = counts[count.point].map { $0.adding(count) } ?? count
    }
    if let every = settings.every, .now >= nextSummary {
      nextSummary = .now + .seconds(every)
      printSummary()
    }
  }

  /// Prints what has not been printed yet.
  mutating func end() {
    for tree in builder.end() where !isComplete { show(tree) }
    if settings.every != nil, !counts.isEmpty { printSummary() }
  }

  /// Completes the file.
  func close() throws(CommandError) { try file?.close() }

  // MARK: Calls

  static func line(_ call: TracedCall, _ selector: String, isWhole: Bool = false) -> String {
    let indent = String(repeating: "  ", count: max(0, min(call.level, 40) - 1))
    return
      "\(CallText.clock(call.began))  #\(call.thread)  \(CallText.milliseconds(call.cost))  \(indent)"
      + text(of: call, selector, isWhole)
  }

  /// The text of a call: the function, its receiver, its arguments and its outcome.
  private static func text(of call: TracedCall, _ selector: String, _ isWhole: Bool) -> String {
    let receiver = CallText.shortened(call.receiver, isWhole: isWhole).map { "  on \($0)" } ?? ""
    let outcome =
      call.succeeded ? (call.outcome.isEmpty ? "" : "  = \(call.outcome)") : "  ! \(call.outcome)"
    let shown = call.shown.isEmpty ? "" : "  -- \(call.shown)"
    return "\(selector)  (\(call.arguments))\(receiver)\(outcome)\(shown)"
  }

  // MARK: Trees

  private mutating func show(_ tree: CallTree) {
    shown += 1
    if console.reportsJSON {
      console.print(line: CallTreeDocument(tree, missed), of: daemon)
    } else {
      console.print(Self.lines(tree, isWhole: settings.request.showsFields == true))
    }
  }

  /// The time and the thread, then a line for each call: how long it took, how long without those that it made.
  static func lines(_ tree: CallTree, isWhole: Bool = false) -> [String] {
    ["\(CallText.clock(tree.call.began))  #\(tree.call.thread)"] + lines(tree, isWhole, depth: 0)
  }

  private static func lines(_ tree: CallTree, _ isWhole: Bool, depth: Int) -> [String] {
    let times = [tree.call.cost, tree.ownCost].map { seconds in
      let text = CallText.milliseconds(seconds)
      return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }
    let indent = String(repeating: "  ", count: min(depth, 40))
    let text = text(of: tree.call, tree.selector, isWhole)
    let line = "\(times[0])  own \(times[1])  \(indent)\(text)"
    return [line] + tree.children.flatMap { lines($0, isWhole, depth: depth + 1) }
  }

  // MARK: Counts

  private mutating func printSummary() {
    let rows = counts.values.sorted { ($1.sum, $0.point) < ($0.sum, $1.point) }
    counts = [:]
    if console.reportsJSON {
      let documents = rows.map { TraceCountDocument($0, report.points[$0.point - 1], missed) }
      console.print(line: ["functions": documents], of: daemon)
      return
    }
    var table = TextTable(columns: [
      "FUNCTION", .number("CALLS"),
      .number("ERRORS"), .number("P50"),
      .number("P99"), .number("LONGEST"),
    ])
    table.rows = rows.map { count in
      [
        report.points[count.point - 1], "\(count.calls)", "\(count.errors)",
        CallText.milliseconds(count.quantile(0.5)), CallText.milliseconds(count.quantile(0.99)),
        CallText.milliseconds(count.longest),
      ]
    }
    if table.rows.isEmpty {
      console.print("no calls")
    } else {
      console.print(table.lines, as: .table)
    }
  }
}

extension TraceCount {
  /// The counts of two spans of time together.
  fileprivate func adding(_ other: TraceCount) -> TraceCount {
    TraceCount(
      point: point, calls: calls + other.calls, errors: errors + other.errors,
      sum: sum + other.sum, longest: max(longest, other.longest),
      buckets: buckets.merging(other.buckets, uniquingKeysWith: +))
  }
}

/// A call, as `--json` prints it.
private struct TracedCallDocument: Encodable {
  let function: String
  let level, thread: Int
  /// The time at which the call began.
  let began: Moment
  let milliseconds: Double
  let arguments: String
  let receiver, result, error, shown: String?
  let callers: [String]?
  /// Which calls of the function are not seen.
  let note: String?

  init(_ call: TracedCall, _ selector: String, callers: [String]? = nil, note: String?) {
    self.callers = callers
    self.note = note
    func some(_ text: String) -> String? { text.isEmpty ? nil : text }
    function = selector
    (level, thread, began) = (call.level, call.thread, Moment(call.began))
    milliseconds = call.cost * 1000
    arguments = call.arguments
    receiver = some(call.receiver)
    result = call.succeeded ? some(call.outcome) : nil
    error = call.succeeded ? nil : call.outcome
    shown = some(call.shown)
  }
}

/// A call with those that it made, as `--tree --json` prints it.
private struct CallTreeDocument: Encodable {
  let call: TracedCallDocument
  let ownMilliseconds: Double
  let calls: [CallTreeDocument]

  init(_ tree: CallTree, _ missed: [String: String]) {
    call = TracedCallDocument(tree.call, tree.selector, note: missed[tree.selector])
    ownMilliseconds = tree.ownCost * 1000
    calls = tree.children.map { CallTreeDocument($0, missed) }
  }

  private enum CodingKeys: CodingKey { case ownMilliseconds, calls }

  func encode(to encoder: any Encoder) throws {
    try call.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ownMilliseconds, forKey: .ownMilliseconds)
    try container.encode(calls, forKey: .calls)
  }
}

/// A function's calls, as `--summary --json` prints them.
private struct TraceCountDocument: Encodable {
  let function: String
  let calls, errors: Int
  let sumMilliseconds, p50Milliseconds, p99Milliseconds, longestMilliseconds: Double
  /// Which calls of the function are not seen.
  let note: String?

  init(_ count: TraceCount, _ selector: String, _ missed: [String: String]) {
    function = selector
    note = missed[selector]
    (calls, errors) = (count.calls, count.errors)
    sumMilliseconds = count.sum * 1000
    p50Milliseconds = count.quantile(0.5) * 1000
    p99Milliseconds = count.quantile(0.99) * 1000
    longestMilliseconds = count.longest * 1000
  }
}
