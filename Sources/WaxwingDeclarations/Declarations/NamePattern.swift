// SPDX-License-Identifier: MIT

/// What the user types to pick names: part of a name, or a whole name with `*` (any characters, or
/// none) and `?` (any one character).
package struct NamePattern: Hashable, Sendable {
  private let pattern: [UInt8]

  /// Makes a pattern; without `*` and `?` it matches names that contain it.
  package init(_ text: String) {
    let isGlob = text.contains("*") || text.contains("?")
    pattern = Array((isGlob ? text : "*\(text)*").utf8)
  }

  /// Whether the name fits.
  /// - Complexity: at worst the length of the name times that of the pattern.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
    var position = 0
    var index = 0
    // Where to go on after a `*` that has to take one more character.
    var retry: (pattern: Int, name: Int)?
    while position < name.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        retry = (index + 1, position)
        index += 1
      } else if let end = step(at: position, of: name, pattern: index) {
        position = end
        index += 1
      } else if let last = retry {
        retry = (last.pattern, last.name + 1)
        index = last.pattern
        position = last.name + 1
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The position after one matching character, nil if it does not match; `?` takes a whole
  /// character of several bytes.
  private func step(at position: Int, of name: [UInt8], pattern index: Int) -> Int? {
    guard index < pattern.count else { return nil }
    guard pattern[index] == UInt8(ascii: "?") else {
      return pattern[index] == name[position] ? position + 1 : nil
    }
    var end = position + 1
    while end < name.count, name[end] & 0xc0 == 0x80 { end += 1 }
    return end
  }
}
