// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// The functions that a line of the configuration means.
///
/// `Orders.*` is all whose name begins with `Orders.`; a star stands for any characters, also
/// elsewhere and also for none. Without a star it is the function of that name with all its overloads,
/// `Bank.Account.withdraw` and `Bank.Account.withdraw(_:memo:)`; a property with its accessors; a type
/// or module with all that is in it. Whatever means a function means the closures in it, too.
package struct SelectorPattern: Hashable, Sendable {
  /// The pattern as it is written.
  package let text: String
  private let bytes: [UInt8]

  /// Nil for what cannot be a function's name: no text, spaces, control characters.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 1024, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return nil }
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Whether a function is meant, by its whole name: `Bank.Account.title.get`.
  package func matches(_ selector: String) -> Bool { matches(Array(selector.utf8)) }

  /// Whether a function of this name, in UTF-8, is meant.
  func matches(_ name: [UInt8]) -> Bool {
    if isMeant(name) { return true }
    return Self.function(ofClosure: name).map(isMeant) ?? false
  }

  private func isMeant(_ name: [UInt8]) -> Bool {
    guard bytes.contains(UInt8(ascii: "*")) else {
      guard name.starts(with: bytes) else { return false }
      return name.count == bytes.count || ".(".utf8.contains(name[bytes.count])
    }
    return GlobPattern(bytes).matches(name)
  }

  /// The name of the function that a closure stands in: `Shop.boot(routes:)` of
  /// `Shop.closure #2 in closure #1 in boot(routes:)`; nil: it is no closure's name.
  private static func function(ofClosure name: [UInt8]) -> [UInt8]? {
    guard name.contains(UInt8(ascii: "#")) else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    guard let space = text.firstIndex(of: " "),
      let dot = text[..<space].lastIndex(of: ".")
    else { return nil }
    let owner = text[...dot]
    var rest = text[text.index(after: dot)...]
    while let inner = closureEnd(rest) { rest = inner }
    return rest.startIndex == owner.endIndex ? nil : Array((owner + rest).utf8)
  }

  /// What follows `closure #1 in `; nil: the text does not begin so.
  private static func closureEnd(_ text: Substring) -> Substring? {
    for beginning in ["closure #", "implicit closure #"] where text.hasPrefix(beginning) {
      let rest = text.dropFirst(beginning.count).drop(while: \.isNumber)
      return rest.hasPrefix(" in ") ? rest.dropFirst(4) : nil
    }
    return nil
  }
}
