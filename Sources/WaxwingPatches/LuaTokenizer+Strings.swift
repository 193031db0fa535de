// SPDX-License-Identifier: MIT

/// Strings as Lua reads them: manual §3.1.
extension LuaTokenizer {
  mutating func quotedString() throws(PatchError) -> [UInt8] {
    let start = line
    let quote = peek()
    position += 1
    var text: [UInt8] = []
    while true {
      let byte = peek()
      guard position < bytes.count, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
        throw failure("the string has no end", line: start, remedy: "close the quote")
      }
      position += 1
      if byte == quote { return text }
      if byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
    }
  }

  /// The number of `=` in an opening long bracket at the position; nil if there is none.
  func longBracketLevel() -> Int? {
    var level = 0
    while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
    return peek(1 + level) == UInt8(ascii: "[") ? level : nil
  }

  mutating func longBracket(level: Int, _ what: String) throws(PatchError) -> [UInt8] {
    let start = line
    position += level + 2
    if peek() == UInt8(ascii: "\n") || peek() == UInt8(ascii: "\r") { skipLineBreak() }
    let closing = Array("]\(String(repeating: "=", count: level))]".utf8)
    var text: [UInt8] = []
    while position < bytes.count {
      switch peek() {
      case UInt8(ascii: "]") where bytes[position...].starts(with: closing):
        position += closing.count
        return text
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        skipLineBreak()
        text.append(UInt8(ascii: "\n"))
      default:
        text.append(peek())
        position += 1
      }
    }
    let end = String(decoding: closing, as: UTF8.self)
    throw failure("the \(what) has no end", line: start, remedy: "close it with '\(end)'")
  }

  private mutating func escape(into text: inout [UInt8]) throws(PatchError) {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
      UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
      UInt8(ascii: "\\"): 92, UInt8(ascii: "\""): 34, UInt8(ascii: "'"): 39,
    ]
    let byte = peek()
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      skipLineBreak()
      text.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "x"): text.append(try hexEscape())
    case UInt8(ascii: "u"): text += try unicodeEscape()
    case UInt8(ascii: "z"):
      position += 1
      skipSpace()
    case _ where byte.isDigit: text.append(try decimalEscape())
    default:
      guard let value = plain[byte] else { throw badEscape("unknown escape in the string") }
      position += 1
      text.append(value)
    }
  }

  private mutating func skipSpace() {
    while true {
      switch peek() {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): skipLineBreak()
      case UInt8(ascii: " "), 0x09, 0x0B, 0x0C: position += 1
      default: return
      }
    }
  }

  private mutating func hexEscape() throws(PatchError) -> UInt8 {
    guard let high = peek(1).hexValue, let low = peek(2).hexValue else {
      throw badEscape("'\\x' needs two hexadecimal digits")
    }
    position += 3
    return high << 4 | low
  }

  private mutating func decimalEscape() throws(PatchError) -> UInt8 {
    var value = 0
    var count = 0
    while count < 3, peek().isDigit {
      value = value * 10 + Int(peek() - UInt8(ascii: "0"))
      position += 1
      count += 1
    }
    guard let byte = UInt8(exactly: value) else { throw badEscape("'\\\(value)' is above 255") }
    return byte
  }

  private mutating func unicodeEscape() throws(PatchError) -> [UInt8] {
    guard peek(1) == UInt8(ascii: "{"), peek(2).hexValue != nil else {
      throw badEscape("'\\u' needs '{', hexadecimal digits and '}'")
    }
    position += 2
    var value: UInt32 = 0
    while let digit = peek().hexValue {
      guard value < 1 << 27 else { throw badEscape("the '\\u' escape is above 7FFFFFFF") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    guard peek() == UInt8(ascii: "}") else { throw badEscape("'\\u{' is not closed by '}'") }
    position += 1
    return Self.extendedUTF8(value)
  }

  /// UTF-8 as Lua writes it, which goes on to six bytes and does not mind surrogates.
  private static func extendedUTF8(_ value: UInt32) -> [UInt8] {
    guard value >= 0x80 else { return [UInt8(value)] }
    var rest = value
    var firstLimit: UInt32 = 0x3F
    var tail: [UInt8] = []
    repeat {
      tail.append(UInt8(0x80 | rest & 0x3F))
      rest >>= 6
      firstLimit >>= 1
    } while rest > firstLimit
    return [UInt8(truncatingIfNeeded: ~firstLimit << 1 | rest)] + tail.reversed()
  }

  private func badEscape(_ message: String) -> PatchError {
    failure(message, remedy: "write '\\\\' for a backslash")
  }
}
