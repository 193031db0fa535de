// SPDX-License-Identifier: MIT

/// A strict reader of Prometheus's text format 0.0.4, or of OpenMetrics 1.0: what promtool would complain of is
/// an error.
struct PrometheusText {
  struct Problem: Error { let text: String }

  struct Sample: Hashable {
    let name: String
    let labels: [String: String]
  }

  private(set) var values: [Sample: Double] = [:]
  private(set) var types: [String: String] = [:]
  private var helps: Set<String> = []
  private var closed: Set<String> = []
  private var current = ""

  private let isOpen: Bool

  init(_ text: String, openMetrics: Bool = false) throws(Problem) {
    isOpen = openMetrics
    guard text.isEmpty || text.hasSuffix("\n") else {
      throw Problem(text: "no line break at the end")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    if isOpen, lines.popLast() != "# EOF" { throw Problem(text: "no # EOF at the end") }
    for line in lines {
      if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
        try readComment(line)
      } else {
        try readSample(line)
      }
    }
    for (name, type) in types {
      let names = Set(suffixes(of: type).map { name + $0 })
      if !values.keys.contains(where: { names.contains($0.name) }) {
        throw Problem(text: "\(name) has a type and no sample")
      }
      if type == "histogram" { try checkHistogram(name) }
    }
  }

  /// What samples of a type have behind the name of their metric.
  private func suffixes(of type: String) -> [String] {
    switch type {
    case "histogram": ["_bucket", "_sum", "_count"]
    case "counter" where isOpen: ["_total"]
    case "info": ["_info"]
    default: [""]
    }
  }

  /// Buckets add up, the last one to the count.
  private func checkHistogram(_ name: String) throws(Problem) {
    for (sample, count) in values where sample.name == name + "_count" {
      let buckets = values.filter { entry in
        var labels = entry.key.labels
        return labels.removeValue(forKey: "le") != nil && labels == sample.labels
          && entry.key.name == name + "_bucket"
      }
      let sorted = buckets.sorted { Double($0.key.labels["le"]!)! < Double($1.key.labels["le"]!)! }
      guard sorted.last?.key.labels["le"] == "+Inf", sorted.last?.value == count,
        values[Sample(name: name + "_sum", labels: sample.labels)] != nil,
        zip(sorted, sorted.dropFirst()).allSatisfy({ $0.value <= $1.value })
      else { throw Problem(text: "the buckets of \(name) do not add up: \(sorted)") }
    }
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    values[Sample(name: name, labels: labels)]
  }

  private mutating func begin(_ name: String) throws(Problem) {
    guard name != current else { return }
    guard closed.insert(name).inserted else { throw Problem(text: "\(name) stands in two places") }
    current = name
  }

  private mutating func readComment(_ line: Substring) throws(Problem) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count == 4 else { throw Problem(text: "incomplete: \(line)") }
    try begin(words[2])
    if words[1] == "HELP" {
      guard helps.insert(words[2]).inserted else { throw Problem(text: "two helps: \(line)") }
    } else {
      let known = ["counter", "gauge", "histogram"] + (isOpen ? ["info"] : [])
      guard known.contains(words[3]), types[words[2]] == nil else {
        throw Problem(text: "wrong type: \(line)")
      }
      types[words[2]] = words[3]
    }
  }

  private mutating func readSample(_ line: Substring) throws(Problem) {
    var rest = line
    let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    rest = rest.dropFirst(name.count)
    guard let first = name.first, !first.isNumber else { throw Problem(text: "no name: \(line)") }
    guard let type = types[current], helps.contains(current),
      suffixes(of: type).contains(where: { current + $0 == name })
    else {
      throw Problem(text: "no type or help before: \(line)")
    }
    guard (type == "counter") == name.hasSuffix("_total") else {
      throw Problem(text: "counters, and they alone, end in _total: \(line)")
    }
    let labels = rest.first == "{" ? try readLabels(&rest) : [:]
    guard rest.first == " ", let value = Double(rest.dropFirst()) else {
      throw Problem(text: "no value: \(line)")
    }
    guard values.updateValue(value, forKey: Sample(name: name, labels: labels)) == nil else {
      throw Problem(text: "twice: \(line)")
    }
  }

  private func readLabels(_ rest: inout Substring) throws(Problem) -> [String: String] {
    var labels: [String: String] = [:]
    rest = rest.dropFirst()
    while true {
      let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.hasPrefix("=\"") else { throw Problem(text: "a label: \(rest)") }
      rest = rest.dropFirst(2)
      var value = ""
      while let next = rest.popFirst(), next != "\"" {
        guard next == "\\" else {
          value.append(next)
          continue
        }
        switch rest.popFirst() {
        case "\\": value.append("\\")
        case "\"": value.append("\"")
        case "n": value.append("\n")
        default: throw Problem(text: "an escape: \(rest)")
        }
      }
      guard labels.updateValue(value, forKey: name) == nil else {
        throw Problem(text: "a label twice: \(name)")
      }
      switch rest.popFirst() {
      case ",": continue
      case "}": return labels
      default: throw Problem(text: "the labels do not end: \(rest)")
      }
    }
  }
}
