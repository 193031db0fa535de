// SPDX-License-Identifier: MIT

/// Chooses nodes by what they are: `all`, or terms with commas between them, which all have to hold:
/// `region=eu,tier!=test,node=web-*,build=4f2a*`.
package struct NodeSelector: Hashable, Sendable {
  private struct Term: Hashable, Sendable {
    let label: String
    let pattern: String
    let isNegative: Bool
  }

  /// As it was written.
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
          label: String(label), pattern: String(word[word.index(after: equals)...]),
          isNegative: isNegative))
    }
    self.terms = terms
  }

  /// Whether a node is chosen. The label `node` is its name, and `build` any of its builds.
  package func matches(_ info: NodeInfo) -> Bool {
    terms.allSatisfy { term in
      let values =
        switch term.label {
        case "node": [info.node]
        case "build": info.builds
        default: info.labels[term.label].map { [$0] } ?? []
        }
      return values.contains { Self.matches($0.utf8[...], term.pattern.utf8[...]) }
        != term.isNegative
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
