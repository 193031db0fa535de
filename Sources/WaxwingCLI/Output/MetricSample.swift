// SPDX-License-Identifier: MIT

/// A sample of Prometheus's text format, as `waxwing metrics --json` has it.
struct MetricSample: Encodable, Equatable {
  let name: String
  let labels: [String: String]
  let value: Double

  /// All samples of a text.
  static func all(in text: String) -> [MetricSample] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { MetricSample($0) }
  }

  /// `name{label="value",…} 3`; nil: the line is none.
  init?(_ line: Substring) {
    let name = line.prefix { $0 != "{" && $0 != " " }
    var rest = line.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest = rest.dropFirst()
      while let label = Self.label(&rest) { labels[label.name] = label.value }
      guard rest.popFirst() == "}" else { return nil }
    }
    guard !name.isEmpty, let word = rest.split(separator: " ").first, let value = Double(word),
      value.isFinite
    else { return nil }
    (self.name, self.labels, self.value) = (String(name), labels, value)
  }

  /// Takes `name="value"` from the beginning, and the comma behind it.
  private static func label(_ rest: inout Substring) -> (name: String, value: String)? {
    if rest.first == "," { rest = rest.dropFirst() }
    let name = rest.prefix { $0 != "=" && $0 != "}" }
    guard rest.dropFirst(name.count).hasPrefix("=\"") else { return nil }
    rest = rest.dropFirst(name.count + 2)
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\" else {
        value.append(character)
        continue
      }
      let escaped = rest.popFirst() ?? "\\"
      value.append(escaped == "n" ? "\n" : escaped)
    }
    return (String(name), value)
  }
}
