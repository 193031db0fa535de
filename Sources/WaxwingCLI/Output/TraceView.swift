// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations

/// Prints what a trace sees.
struct TraceView {
  private let report: TraceReport
  private let settings: TraceSettings
  private let console: Console
  private var file: TraceEventFile?
  private var shown = 0
  private var counts: [Int: TraceCount] = [:]
  private var nextSummary: ContinuousClock.Instant
  private(set) var dropped = 0

  init(
    _ report: TraceReport, _ settings: TraceSettings, _ console: Console, _ file: TraceEventFile?
  ) {
    self.report = report
    self.settings = settings
    self.console = console
    self.file = file
    nextSummary = .now + .seconds(settings.every ?? 0)
  }

  /// Whether all calls that were wanted have been shown.
  var isComplete: Bool { settings.request.most.map { shown >= $0 } ?? false }

  mutating func add(_ batch: TraceBatch) throws(CommandError) {
    dropped += batch.dropped
    for call in batch.calls where report.points.indices.contains(call.point - 1) {
      shown += 1
      let selector = report.points[call.point - 1]
      try file?.add(call, selector)
      console.print(
        console.reportsJSON
          ? JSONText.line(of: TracedCallDocument(call, selector)) : Self.line(call, selector))
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
    if settings.every != nil, !counts.isEmpty { printSummary() }
  }

  /// Completes the file.
  func close() throws(CommandError) { try file?.close() }

  // MARK: Calls

  static func line(_ call: TracedCall, _ selector: String) -> String {
    let indent = String(repeating: "  ", count: max(0, min(call.level, 40) - 1))
    let receiver = shortened(call.receiver).map { "  on \($0)" } ?? ""
    let outcome =
      call.succeeded ? (call.outcome.isEmpty ? "" : "  = \(call.outcome)") : "  ! \(call.outcome)"
    let shown = call.shown.isEmpty ? "" : "  -- \(call.shown)"
    return "\(clock(call.began))  #\(call.thread)  \(milliseconds(call.cost))  \(indent)\(selector)"
      + "  (\(call.arguments))\(receiver)\(outcome)\(shown)"
  }

  /// What a method was called on; nil for a type, which the selector names.
  private static func shortened(_ receiver: String) -> String? {
    if receiver.isEmpty || receiver.hasSuffix(".static") { return nil }
    return receiver.count > 60 ? receiver.prefix(60) + "…" : receiver
  }

  /// `12:01:02.123`
  private static func clock(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    let thousandths = Int((seconds - Double(time)) * 1000)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = String(String(1000 + min(max(thousandths, 0), 999)).dropFirst())
    return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)"
  }

  /// `0.041 ms`, `1500.000 ms`
  static func milliseconds(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1e6).rounded())
    let fraction = String(String(1000 + thousandths % 1000).dropFirst())
    return "\(thousandths / 1000).\(fraction) ms"
  }

  // MARK: Counts

  private mutating func printSummary() {
    let rows = counts.values.sorted { ($1.sum, $0.point) < ($0.sum, $1.point) }
    counts = [:]
    if console.reportsJSON {
      let documents = rows.map { TraceCountDocument($0, report.points[$0.point - 1]) }
      console.print(JSONText.line(of: ["functions": documents]))
      return
    }
    var table = TextTable(columns: [
      .init(title: "FUNCTION"), .init(title: "CALLS", isNumber: true),
      .init(title: "ERRORS", isNumber: true), .init(title: "P50", isNumber: true),
      .init(title: "P99", isNumber: true), .init(title: "LONGEST", isNumber: true),
    ])
    table.rows = rows.map { count in
      [
        report.points[count.point - 1], "\(count.calls)", "\(count.errors)",
        Self.milliseconds(count.quantile(0.5)), Self.milliseconds(count.quantile(0.99)),
        Self.milliseconds(count.longest),
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
  /// Seconds since 1970.
  let began: Double
  let milliseconds: Double
  let arguments: String
  let receiver, result, error, shown: String?

  init(_ call: TracedCall, _ selector: String) {
    func some(_ text: String) -> String? { text.isEmpty ? nil : text }
    function = selector
    (level, thread, began) = (call.level, call.thread, call.began)
    milliseconds = call.cost * 1000
    arguments = call.arguments
    receiver = some(call.receiver)
    result = call.succeeded ? some(call.outcome) : nil
    error = call.succeeded ? nil : call.outcome
    shown = some(call.shown)
  }
}

/// A function's calls, as `--summary --json` prints them.
private struct TraceCountDocument: Encodable {
  let function: String
  let calls, errors: Int
  /// In milliseconds.
  let sum, p50, p99, longest: Double

  init(_ count: TraceCount, _ selector: String) {
    function = selector
    (calls, errors) = (count.calls, count.errors)
    sum = count.sum * 1000
    p50 = count.quantile(0.5) * 1000
    p99 = count.quantile(0.99) * 1000
    longest = count.longest * 1000
  }
}
