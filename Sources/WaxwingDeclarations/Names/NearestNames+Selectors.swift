// SPDX-License-Identifier: MIT

extension NearestNames {
  /// The question for a text that is part of no selector, with parts of selectors that are as many names:
  /// `withdraw` for `withdrw`, `Account.withdraw` for `Acount.withdraw`.
  package static func question(
    forPart text: String, ofSelectors selectors: some Sequence<String>
  ) -> String? {
    let wanted = text.prefix { $0 != "(" }
    let count = wanted.split(separator: ".").count
    guard count > 0 else { return nil }
    var parts: Set<String> = []
    for selector in selectors {
      let names = selector.prefix { $0 != "(" }.split(separator: ".")
      for end in stride(from: count, through: names.count, by: 1) {
        parts.insert(names[(end - count)..<end].joined(separator: "."))
      }
      if count == 1, let function = names.last.flatMap(Self.function(ofClosure:)) {
        parts.insert(function)
      }
    }
    return question(for: String(wanted), in: parts.sorted())
  }

  /// `boot` of `closure #1 in boot`; nil: it is no closure's name.
  private static func function(ofClosure name: Substring) -> String? {
    let words = name.split(separator: " ")
    return words.count > 3 && words.contains("closure") ? words.last.map(String.init) : nil
  }
}
