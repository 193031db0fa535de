// SPDX-License-Identifier: MIT

/// Chooses nodes by their properties: `all`, or terms separated by commas, which all have to hold:
/// `region=eu,tier!=test,node=web-*,build=4f2a*`.
package struct NodeSelector: Hashable, Sendable {
  private struct Term: Hashable, Sendable {
    let text: String
    let label: String
    let pattern: String
    let isNegative: Bool
  }

  /// The selector as it was written.
  package let text: String

  private let terms: [Term]

  /// - Throws: ``FleetError`` `invalid`.
  package init(_ text: String) throws(FleetError) {
    self.text = text
    guard text != "all" else {
      terms = []
      return
    }
    var terms: [Term] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw FleetError(
          .invalid, "'\(word)' in the selector '\(text)' is no term",
          remedy: "write `all`, or LABEL=VALUE and LABEL!=VALUE with commas between them")
      }
      let isNegative = word[word.index(before: equals)] == "!"
      let label = isNegative ? word[..<word.index(before: equals)] : word[..<equals]
      terms.append(
        Term(
          text: String(word), label: String(label),
          pattern: String(word[word.index(after: equals)...]),
          isNegative: isNegative))
    }
    self.terms = terms
  }

  /// Whether a node is chosen. The label `node` is its name, and `build` any of its builds.
  package func matches(_ info: NodeInfo) -> Bool {
    terms.allSatisfy { Self.isFound($0, at: info) != $0.isNegative }
  }

  /// The terms that speak of what none of these nodes has, with why: of a label that no node has, or of a value.
  /// Most are mistakes in writing: `tier!=tset` chooses all.
  package func unknownTerms(among nodes: [NodeInfo]) -> [String] {
    terms.compactMap { term in
      if nodes.contains(where: { Self.isFound(term, at: $0) }) { return nil }
      if nodes.contains(where: { !Self.values(of: term.label, $0).isEmpty }) {
        return "'\(term.text)': no node has such a value"
      }
      return "'\(term.text)': no node has the label \(term.label)"
    }
  }

  private static func isFound(_ term: Term, at info: NodeInfo) -> Bool {
    values(of: term.label, info).contains { matches($0.utf8[...], term.pattern.utf8[...]) }
  }

  private static func values(of label: String, _ info: NodeInfo) -> [String] {
    switch label {
    case "node": [info.node]
    case "build": info.builds
    default: info.labels[label].map { [$0] } ?? []
    }
  }

  /// Whether a text is what a pattern says, in which a star stands for any characters.
  private static func matches(
    _ text: Substring.UTF8View.SubSequence, _ pattern: Substring.UTF8View.SubSequence
  ) -> Bool {
    var (text, pattern) = (text, pattern)
    // Where the last star was met, and what was left of the text then.
    var retry: (text: Substring.UTF8View.SubSequence, pattern: Substring.UTF8View.SubSequence)?
    while true {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        retry = (text, pattern)
      } else if let byte = text.first, byte == pattern.first {
        (text, pattern) = (text.dropFirst(), pattern.dropFirst())
      } else if text.isEmpty, pattern.isEmpty {
        return true
      } else if let last = retry, !last.text.isEmpty {
        retry = (last.text.dropFirst(), last.pattern)
        (text, pattern) = (last.text.dropFirst(), last.pattern)
      } else {
        return false
      }
    }
  }
}
