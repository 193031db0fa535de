// SPDX-License-Identifier: MIT

/// Bytes in which a star stands for any bytes, also for none.
package struct GlobPattern: Hashable, Sendable {
  private let bytes: [UInt8]
  private let hasQuestionMarks: Bool

  /// Makes a pattern that has to match all of a name.
  /// - Parameter hasQuestionMarks: Whether `?` stands for any one byte, and not for itself.
  package init(_ bytes: [UInt8], hasQuestionMarks: Bool = false) {
    self.bytes = bytes
    self.hasQuestionMarks = hasQuestionMarks
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
      } else if part < bytes.count, stands(for: name[place], bytes[part]) {
        (place, part) = (place + 1, part + 1)
      } else if let last = star {
        star = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part)
      } else {
        return false
      }
    }
    return bytes[part...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private func stands(for byte: UInt8, _ wanted: UInt8) -> Bool {
    wanted == byte || wanted == UInt8(ascii: "?") && hasQuestionMarks
  }
}
