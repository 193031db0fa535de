// SPDX-License-Identifier: MIT

/// Why a document of the store cannot be read.
package struct StoreTextError: Error, Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  package let message: String

  package init(_ line: Int, _ message: String) {
    self.line = line
    self.message = message
  }
}

/// The store's documents: lines of words with one space between them, and below them the hash of it all.
/// `cat` shows them, and `sed '$d' state | sha256sum` says whether they are whole.
package enum StoreText {
  /// A word that may contain anything: a character that is not plain is `%` and two digits; an
  /// empty word is `%`.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      // Not the percent sign, which is 0x25.
      if (0x21...0x7E).contains(byte), byte != 0x25 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16)
      }
    }
    return result.isEmpty ? "%" : result
  }

  /// The text of an escaped word; nil if ``escaped(_:)`` does not write this.
  package static func unescaped(_ word: some StringProtocol) -> String? {
    if word == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25 {
        guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return escaped(text) == word ? text : nil
  }

  /// A number that is written in one way only.
  package static func count(_ word: some StringProtocol) -> Int? {
    guard let number = Int(word), number >= 0, "\(number)" == word else { return nil }
    return number
  }

  /// The format in a document's first line, if it is newer than the known ones.
  package static func newerFormat(_ bytes: [UInt8], of kind: String, than known: Int) -> Int? {
    let first = bytes.prefix { $0 != 10 }.prefix(40)
    let words = String(decoding: first, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == kind, let format = count(words[1]), format > known
    else { return nil }
    return format
  }

  /// Adds the line with the hash.
  package static func sealed(_ lines: [String]) -> [UInt8] {
    let body = Array((lines.joined(separator: "\n") + "\n").utf8)
    return body + Array("sha256 \(ContentHash(of: body).hex)\n".utf8)
  }

  /// The lines of a document, without the one that has the hash, as words.
  package static func lines(_ bytes: [UInt8]) throws(StoreTextError) -> [[Substring]] {
    let trailer = "sha256 ".utf8.count + 64 + 1
    guard bytes.count > trailer else { throw StoreTextError(1, "it is too short") }
    let body = Array(bytes.dropLast(trailer))
    guard body.last == 10, sealed(body).elementsEqual(bytes.suffix(trailer)) else {
      throw StoreTextError(1, "its hash is not the one in its last line")
    }
    let text = String(decoding: body.dropLast(), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ", omittingEmptySubsequences: false) }
  }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    Array("sha256 \(ContentHash(of: body).hex)\n".utf8)
  }
}
