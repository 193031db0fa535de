// SPDX-License-Identifier: MIT

/// How long the calls took that were measured, in milliseconds.
package struct TimesReport: Hashable, Sendable, Codable {
  /// How many there were.
  package let calls: UInt64
  /// How long all of them took together.
  package let sum: Double
  /// The time that half of the calls did not exceed.
  package let p50: Double
  /// The time that 99 of 100 calls did not exceed.
  package let p99: Double
  /// How long the longest took.
  package let longest: Double
  /// How many took how long; nil: the daemon does not say. As documents have them, each is an object.
  package var spans: [Span]?

  /// Calls that took about as long as each other: up to an end, from the end of the span before. As JSON
  /// two numbers.
  package struct Span: Hashable, Sendable, Codable {
    /// The end of the span in nanoseconds. The same time is always the end of the same span.
    let end: UInt64
    let calls: UInt64

    package init(end: UInt64, calls: UInt64) {
      self.end = end
      self.calls = calls
    }

    package init(from decoder: any Decoder) throws {
      var numbers = try decoder.unkeyedContainer()
      end = try numbers.decode(UInt64.self)
      calls = try numbers.decode(UInt64.self)
    }

    private enum Key: String, CodingKey { case endNanoseconds, calls }

    package func encode(to encoder: any Encoder) throws {
      guard !TimesReport.namesUnits(encoder) else {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(end, forKey: .endNanoseconds)
        return try container.encode(calls, forKey: .calls)
      }
      var numbers = encoder.unkeyedContainer()
      try numbers.encode(end)
      try numbers.encode(calls)
    }
  }

  /// The keys of the protocol, and the keys that documents have instead.
  private enum Key: String, CodingKey {
    case calls, sum, p50, p99, longest, spans
    case sumMilliseconds, p50Milliseconds, p99Milliseconds, longestMilliseconds
  }

  /// Set in an encoder of documents, whose keys say the unit of times.
  package static let namesUnits = CodingUserInfoKey(rawValue: "namesUnits")

  private static func namesUnits(_ encoder: any Encoder) -> Bool {
    namesUnits.map { encoder.userInfo[$0] as? Bool == true } ?? false
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    calls = try container.decode(UInt64.self, forKey: .calls)
    sum = try container.decode(Double.self, forKey: .sum)
    p50 = try container.decode(Double.self, forKey: .p50)
    p99 = try container.decode(Double.self, forKey: .p99)
    longest = try container.decode(Double.self, forKey: .longest)
    spans = try container.decodeIfPresent([Span].self, forKey: .spans)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let namesUnits = Self.namesUnits(encoder)
    try container.encode(calls, forKey: .calls)
    try container.encode(sum, forKey: namesUnits ? .sumMilliseconds : .sum)
    try container.encode(p50, forKey: namesUnits ? .p50Milliseconds : .p50)
    try container.encode(p99, forKey: namesUnits ? .p99Milliseconds : .p99)
    try container.encode(longest, forKey: namesUnits ? .longestMilliseconds : .longest)
    try container.encodeIfPresent(spans, forKey: .spans)
  }

  package init(calls: UInt64, sum: Double, p50: Double, p99: Double, longest: Double) {
    self.calls = calls
    self.sum = sum
    self.p50 = p50
    self.p99 = p99
    self.longest = longest
  }
}

extension TimesReport {
  /// The calls since an earlier report of the same override, and how long these took; the longest as
  /// exactly as its span says it. All calls where one of the reports has no spans, or where measuring has
  /// begun anew meanwhile.
  package func since(_ old: TimesReport?) -> TimesReport {
    guard let old, let spans, let oldSpans = old.spans else { return self }
    let before = Dictionary(oldSpans.map { ($0.end, $0.calls) }, uniquingKeysWith: &+)
    let isNew =
      old.calls > calls
      || oldSpans.contains { span in
        span.calls > spans.first { $0.end == span.end }?.calls ?? 0
      }
    if isNew { return self }
    let new = spans.map { Span(end: $0.end, calls: $0.calls - (before[$0.end] ?? 0)) }
      .filter { $0.calls > 0 }
    let count = new.reduce(0) { $0 &+ $1.calls }
    var report = TimesReport(
      calls: count, sum: max(0, sum - old.sum), p50: time(new, count, 0.5),
      p99: time(new, count, 0.99), longest: time(new, count, 1))
    report.spans = new
    return report
  }

  /// The time that a share of the calls did not exceed, in milliseconds.
  private func time(_ spans: [Span], _ calls: UInt64, _ share: Double) -> Double {
    let wanted = max(1, Double(calls) * share)
    var seen: UInt64 = 0
    for span in spans {
      seen &+= span.calls
      if Double(seen) >= wanted { return min(longest, Double(span.end) / 1e6) }
    }
    return 0
  }
}
