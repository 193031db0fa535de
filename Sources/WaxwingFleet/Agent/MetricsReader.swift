// SPDX-License-Identifier: MIT

/// Prometheus's text format, as far as sums need it.
package enum MetricsReader {
  /// The sum of a metric over all of its labels; nil: there is no such metric.
  /// - Parameter name: `requests_total`, or `requests_total{code="500"}`: only samples with these labels,
  ///   written so.
  package static func sum(of name: String, in text: String) -> Double? {
    let parts = name.split(separator: "{", maxSplits: 1)
    guard let metric = parts.first else { return nil }
    let labels = parts.count == 2 ? parts[1].dropLast().split(separator: ",") : []
    var sum: Double?
    for line in text.split(separator: "\n") where line.hasPrefix(metric) {
      let rest = line.dropFirst(metric.count)
      guard rest.first == "{" || rest.first == " " else { continue }
      let end = rest.first == "{" ? rest.lastIndex(of: "}") : rest.startIndex
      guard let end, labels.allSatisfy({ rest[..<end].contains($0) }) else { continue }
      let words = rest[end...].drop { $0 == "}" }.split(separator: " ")
      guard let word = words.first, let value = Double(word), value.isFinite else { continue }
      sum = (sum ?? 0) + value
    }
    return sum
  }
}
