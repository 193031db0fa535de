// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingDeclarations

extension ConfigurationReader {
  static var ownUser: UInt32 { geteuid() }

  /// A line without `=`.
  mutating func takeRule(_ content: Substring) throws(LineFault) {
    let words = content.split { $0 == " " || $0 == "\t" }.map(String.init)
    switch words.first {
    case "protect":
      configuration.rules.protected += try patterns(words.dropFirst(), "protect PATTERN")
    case "signer":
      let form = "signer IDENTITY may override PATTERN, PATTERN"
      guard words.count > 4, words[2] == "may", words[3] == "override" else {
        throw LineFault("the line about a signer is incomplete", "write `\(form)`")
      }
      configuration.rules.allowed[words[1], default: []] += try patterns(words.dropFirst(4), form)
    case let first?:
      throw LineFault(
        "the line is neither `key = value` nor a rule",
        NearestNames.question(for: first, in: ["protect", "signer"])
          ?? "rules begin with `protect` or `signer`; `#` begins a comment")
    case nil: break
    }
  }

  private func patterns(
    _ words: ArraySlice<String>, _ form: String
  ) throws(LineFault) -> [SelectorPattern] {
    let parts = words.joined(separator: " ").split(separator: ",", omittingEmptySubsequences: false)
    var patterns: [SelectorPattern] = []
    for part in parts {
      let text = String(Self.trimmed(part))
      guard let pattern = SelectorPattern(text) else {
        throw LineFault("`\(text)` is not a pattern of function names", "write `\(form)`")
      }
      patterns.append(pattern)
    }
    return patterns
  }
}
