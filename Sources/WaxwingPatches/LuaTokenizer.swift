// SPDX-License-Identifier: MIT

/// Splits Lua 5.4 source into tokens without running any of it.
///
/// Spaces and comments are skipped. The bytes are foreign: every read is checked against the end.
package struct LuaTokenizer {
  let file: String
  let bytes: [UInt8]
  var position = 0
  var line = 1
  /// Up to where characters of the line have been counted, and how many there were.
  private var counted = (position: 0, characters: 0)

  package init(_ source: PatchFile) {
    file = source.name
    bytes = source.bytes
  }

  /// The byte `offset` places ahead, 0 after the end (the text itself has no zeros).
  func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// The next token; the end of the file again and again once that is reached.
  package mutating func next() throws(PatchError) -> LuaToken {
    try skipSpaceAndComments()
    let (start, column) = (line, column())
    guard position < bytes.count else {
      return LuaToken(kind: .end, line: start, column: column)
    }
    return LuaToken(kind: try kind(), line: start, column: column)
  }

  /// Where the next byte is, in characters of its line, counted from 1.
  private mutating func column() -> Int {
    counted.characters += bytes[counted.position..<position].count { $0 & 0xC0 != 0x80 }
    counted.position = position
    return counted.characters + 1
  }

  func failure(_ message: String, line: Int? = nil, remedy: String = "correct it") -> PatchError {
    PatchError(.manifest, file: file, line: line ?? self.line, message: message, remedy: remedy)
  }

  private mutating func kind() throws(PatchError) -> LuaToken.Kind {
    let byte = peek()
    if byte.isNameStart { return word() }
    if byte.isDigit || (byte == UInt8(ascii: ".") && peek(1).isDigit) { return try number() }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return .string(try quotedString())
    }
    if byte == UInt8(ascii: "["), let level = longBracketLevel() {
      return .string(try longBracket(level: level, "string"))
    }
    return try symbol()
  }

  private mutating func word() -> LuaToken.Kind {
    let start = position
    while peek().isNameStart || peek().isDigit { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    return LuaToken.keywords.contains(word) ? .keyword(word) : .name(word)
  }

  private mutating func symbol() throws(PatchError) -> LuaToken.Kind {
    for text in ["...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"]
    where bytes[position...].starts(with: text.utf8) {
      position += text.utf8.count
      return .symbol(text)
    }
    let byte = peek()
    guard "+-*/%^#&~|<>=(){}[];:,.".utf8.contains(byte) else {
      throw failure("unexpected character", remedy: "only ASCII letters may form names in Lua")
    }
    position += 1
    return .symbol(String(UnicodeScalar(byte)))
  }

  private mutating func skipSpaceAndComments() throws(PatchError) {
    while position < bytes.count {
      switch peek() {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): skipLineBreak()
      case UInt8(ascii: " "), 0x09, 0x0B, 0x0C: position += 1
      case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
        position += 2
        if peek() == UInt8(ascii: "["), let level = longBracketLevel() {
          _ = try longBracket(level: level, "comment")
        } else {
          while position < bytes.count, peek() != UInt8(ascii: "\n"), peek() != UInt8(ascii: "\r") {
            position += 1
          }
        }
      default: return
      }
    }
  }

  /// Lua counts `\n`, `\r`, `\r\n` and `\n\r` as one line break each.
  mutating func skipLineBreak() {
    let first = peek()
    position += 1
    let second = peek()
    if second != first, second == UInt8(ascii: "\n") || second == UInt8(ascii: "\r") {
      position += 1
    }
    line += 1
    counted = (position, 0)
  }
}
