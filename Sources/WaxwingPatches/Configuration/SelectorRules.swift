// SPDX-License-Identifier: MIT

/// The rules of the host about which patches may override which functions.
package struct SelectorRules: Hashable, Sendable {
  /// Functions that no patch may override.
  package var protected: [SelectorPattern] = []

  /// The functions that patches of a signer may override. A signer who is not here may override all
  /// functions that are not protected.
  package var allowed: [String: [SelectorPattern]] = [:]

  /// Whether there are none.
  package var isEmpty: Bool { protected.isEmpty && allowed.isEmpty }

  /// The rules that no function is meant by, as they are written: a name that is misspelt, or gone.
  /// - Parameter selectors: The whole names of all functions that there are.
  package func unmatched(in selectors: [String]) -> [(rule: String, pattern: String)] {
    let names = selectors.map { Array($0.utf8) }
    func missing(_ patterns: [SelectorPattern]) -> [String] {
      patterns.filter { pattern in !names.contains { pattern.matches($0) } }.map(\.text)
    }
    return missing(protected).map { ("protect \($0)", $0) }
      + allowed.sorted { $0.key < $1.key }.flatMap { signer, patterns in
        missing(patterns).map { ("signer \(signer) may override \($0)", $0) }
      }
  }

  /// Creates no rules.
  package init() {}

  /// The reason why a patch may not override a function, as the end of a sentence that begins with
  /// the patch's file; nil if it may.
  /// - Parameter signer: The patch's signer; nil if there is none.
  package func reason(against selector: String, signer: String?) -> String? {
    let name = Array(selector.utf8)
    if let pattern = protected.first(where: { $0.matches(name) }) {
      return "\(selector) may not be patched here: the host protects `\(pattern.text)`"
    }
    guard let signer, let patterns = allowed[signer],
      !patterns.contains(where: { $0.matches(name) })
    else { return nil }
    let list = patterns.map(\.text).joined(separator: ", ")
    return "patches by \(signer) may not override \(selector) here: the host allows only \(list)"
  }
}
