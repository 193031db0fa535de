// SPDX-License-Identifier: MIT

import WaxwingDeclarations
package import WaxwingInterception

/// Counters as text, for Prometheus and other readers of its formats.
package struct MetricsText {
  package enum Format: Sendable {
    /// The text format 0.0.4.
    case prometheus
    /// The format OpenMetrics 1.0.
    case openMetrics
  }

  /// Series beyond these are added up in one whose labels are `other`: a patch with thousands of
  /// overrides is not to fill the disk of who collects them.
  static let seriesLimit = 1000

  package enum Kind: String {
    case counter, gauge, histogram, info
  }

  package typealias Labels = [(name: String, value: String)]

  private let format: Format
  private var lines = ""
  private var series = 0

  package init(_ format: Format = .prometheus) { self.format = format }

  /// The text of the metrics added so far.
  package var text: String { lines + (format == .openMetrics ? "# EOF\n" : "") }

  /// Adds a metric with one value.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, [([], value)])
  }

  /// Adds a metric with a value for each set of labels. A counter's name ends in `_total`, and the
  /// name of a metric that exists only for its labels ends in `_info`.
  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(Labels, Int)]
  ) {
    guard !samples.isEmpty else { return }
    describe(name, kind, help)
    for (labels, value) in shown(samples, 1, &+) { line(name, labels, "\(value)") }
  }

  /// Adds histograms of times, in seconds.
  package mutating func add(
    histogram name: String, _ help: String, _ samples: [(Labels, TimeCounts)]
  ) {
    guard !samples.isEmpty else { return }
    describe(name, .histogram, help)
    for (labels, counts) in shown(samples, Self.bounds.count + 3, +) {
      for (bound, calls) in zip(Self.bounds, counts.calls(upTo: Self.bounds)) {
        line("\(name)_bucket", labels + [("le", Self.seconds(bound))], "\(calls)")
      }
      // Read once: while calls go on, the sum of the buckets is the number that goes with them.
      let calls = counts.calls
      line("\(name)_bucket", labels + [("le", "+Inf")], "\(calls)")
      line("\(name)_sum", labels, Self.seconds(counts.sum))
      line("\(name)_count", labels, "\(calls)")
    }
  }

  /// The upper bounds of the buckets: from 256 ns to 17 s, each four times the one before. They are
  /// ends of buckets in which calls are counted, so the numbers are exact.
  private static let bounds: [UInt64] = stride(from: 8, through: 34, by: 2).map { 1 << $0 }

  /// Nanoseconds as seconds, to the digit: `0.000001024`.
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var digits = String(String(1_000_000_000 + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "\(whole).0" : "\(whole).\(digits)"
  }

  /// The samples that there is room for, the others added up. What has labels may be much; a single sample
  /// always has room.
  /// - Parameter lines: Of each sample.
  private mutating func shown<Value>(
    _ samples: [(Labels, Value)], _ lines: Int, _ sum: (Value, Value) -> Value
  ) -> [(Labels, Value)] {
    let room = max(0, Self.seriesLimit - series) / lines
    var shown = samples
    if samples.count > 1, samples.count > room {
      shown = Array(samples.prefix(max(0, room - 1)))
      let rest = samples.dropFirst(shown.count).map(\.1)
      if let first = rest.first {
        let labels = samples[0].0.map { (name: $0.name, value: "other") }
        shown.append((labels, rest.dropFirst().reduce(first, sum)))
      }
    }
    series += shown.count * lines
    return shown
  }

  /// Describes a metric. In OpenMetrics the suffixes of counters and of info metrics belong only to
  /// the samples.
  private mutating func describe(_ name: String, _ kind: Kind, _ help: String) {
    var (family, type) = (name, kind.rawValue)
    switch (format, kind) {
    case (.prometheus, .info): type = Kind.gauge.rawValue
    case (.prometheus, _): break
    case (.openMetrics, .counter): family = String(name.dropLast("_total".count))
    case (.openMetrics, .info): family = String(name.dropLast("_info".count))
    case (.openMetrics, _): break
    }
    lines += "# HELP \(family) \(escapedHelp(help))\n# TYPE \(family) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    lines += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private func escapedHelp(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return format == .openMetrics ? escaped.replacing("\"", with: "\\\"") : escaped
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(512) {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      // The format knows no other escapes: the backslash is one of the text's.
      case _ where VisibleText.isUnsafe(scalar):
        result += VisibleText.line(String(scalar)).replacing("\\", with: "\\\\")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
