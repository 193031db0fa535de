// SPDX-License-Identifier: MIT

/// A strict reader of Prometheus's text format 0.0.4: what promtool would complain of is an error.
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

  init(_ text: String) throws(Problem) {
    guard text.isEmpty || text.hasSuffix("\n") else {
      throw Problem(text: "no line break at the end")
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
        try readComment(line)
      } else {
        try readSample(line)
      }
    }
    for name in types.keys where !values.keys.contains(where: { $0.name == name }) {
      throw Problem(text: "\(name) has a type and no sample")
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
      guard ["counter", "gauge"].contains(words[3]), types[words[2]] == nil else {
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
    try begin(name)
    guard let type = types[name], helps.contains(name) else {
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
