// SPDX-License-Identifier: MIT

/// Numbers as Lua reads them: manual §3.1.
extension LuaTokenizer {
  mutating func number() throws(PatchError) -> LuaToken.Kind {
    let text = numeral()
    let isHex = text.hasPrefix("0x") || text.hasPrefix("0X")
    if let kind = isHex ? Self.hexInteger(text.dropFirst(2)) : Int64(text).map({ .integer($0) }) {
      return kind
    }
    guard let value = Double(text) else {
      throw failure("'\(text)' is not a number", remedy: "fix the number")
    }
    return .float(value)
  }

  /// Takes all that Lua takes for one number, right or wrong, so that `3x` is one bad number
  /// and not a number and a name.
  private mutating func numeral() -> String {
    let start = position
    var exponent = UInt8(ascii: "e")
    if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      exponent = UInt8(ascii: "p")
      position += 2
    }
    while true {
      if peek() | 0x20 == exponent {
        position += 1
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      } else if peek().hexValue != nil || peek() == UInt8(ascii: ".") {
        position += 1
      } else {
        break
      }
    }
    while peek().isNameStart || peek().isDigit { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Hexadecimal integers wrap around, as in Lua: `0xffffffffffffffff` is -1.
  private static func hexInteger(_ digits: Substring) -> LuaToken.Kind? {
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits.utf8 {
      guard let digit = byte.hexValue else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return .integer(Int64(bitPattern: value))
  }
}
