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
    case "mask":
      configuration.maskedNames += try names(words.dropFirst())
    case "signer":
      let form = "signer IDENTITY may override PATTERN, PATTERN"
      guard words.count > 4, words[2] == "may", words[3] == "override" else {
        throw LineFault("the line about a signer is incomplete", "write `\(form)`")
      }
      configuration.rules.allowed[words[1], default: []] += try patterns(words.dropFirst(4), form)
    case let first?:
      throw LineFault(
        "the line is neither `key = value` nor a rule",
        NearestNames.question(for: first, in: ["protect", "mask", "signer"])
          ?? "rules begin with `protect`, `mask` or `signer`; `#` begins a comment")
    case nil: break
    }
  }

  /// Reads names of properties, parameters and functions, with stars.
  private func names(_ words: ArraySlice<String>) throws(LineFault) -> [String] {
    let parts = words.joined(separator: " ").split(separator: ",", omittingEmptySubsequences: false)
      .map { String(Self.trimmed($0)) }
    let odd = parts.first { name in
      name.isEmpty || !name.allSatisfy { $0 == "*" || $0 == "_" || $0.isLetter || $0.isNumber }
    }
    if let odd {
      throw LineFault(
        "`\(odd)` is no name", "write `mask NAME, NAME`, as in `mask password, *token*`")
    }
    return parts
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
