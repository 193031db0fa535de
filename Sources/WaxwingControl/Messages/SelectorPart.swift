// SPDX-License-Identifier: MIT

/// A part of selectors, whatever its case: what lists and traces look for.
package struct SelectorPart: Sendable {
  private let folded: String
  /// Its bytes in lower case, if it is ASCII: most selectors are, and are compared byte by byte.
  private let bytes: [UInt8]?

  package init(_ text: String) {
    folded = text.lowercased()
    bytes = folded.utf8.allSatisfy { $0 < 0x80 } ? Array(folded.utf8) : nil
  }

  /// Whether a selector contains the part.
  package func isPart(of selector: String) -> Bool {
    if let bytes, let found = Self.find(bytes, in: Array(selector.utf8)) { return found }
    return selector.lowercased().contains(folded)
  }

  /// - Returns: Nil if the text is not ASCII.
  private static func find(_ part: [UInt8], in text: [UInt8]) -> Bool? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    for start in 0...(text.count - part.count) where lower(text[start]) == first {
      var length = 1
      while length < part.count, lower(text[start + length]) == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
