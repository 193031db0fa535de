// SPDX-License-Identifier: MIT

/// Bytes in which a star stands for any bytes, also for none.
package struct GlobPattern: Hashable, Sendable {
  /// What `?` stands for.
  package enum QuestionMark: Hashable, Sendable {
    /// Itself.
    case plain
    /// Any one byte.
    case byte
    /// Any one character of UTF-8.
    case character
  }

  private let bytes: [UInt8]
  private let questionMark: QuestionMark

  /// Makes a pattern that has to match all of a name.
  package init(_ bytes: [UInt8], questionMark: QuestionMark = .plain) {
    self.bytes = bytes
    self.questionMark = questionMark
  }

  /// Whether a name fits. It goes back only to the last star.
  /// - Complexity: at worst the length of the name times that of the pattern.
  package func matches(_ name: [UInt8]) -> Bool {
    var (place, part) = (0, 0)
    // Where to go on after a star that has to take one more byte.
    var star: (place: Int, part: Int)?
    while place < name.count {
      if part < bytes.count, bytes[part] == UInt8(ascii: "*") {
        part += 1
        star = (place, part)
      } else if part < bytes.count, let end = end(of: bytes[part], at: place, of: name) {
        (place, part) = (end, part + 1)
      } else if let last = star {
        star = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part)
      } else {
        return false
      }
    }
    return bytes[part...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Where what a byte of the pattern stands for ends; nil: it does not stand there.
  private func end(of wanted: UInt8, at place: Int, of name: [UInt8]) -> Int? {
    guard wanted == UInt8(ascii: "?"), questionMark != .plain else {
      return wanted == name[place] ? place + 1 : nil
    }
    var end = place + 1
    if questionMark == .byte { return end }
    while end < name.count, name[end] & 0xc0 == 0x80 { end += 1 }
    return end
  }
}
