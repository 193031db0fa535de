// SPDX-License-Identifier: MIT

/// The character classes of Lua's lexer, which knows ASCII only, whatever the locale.
extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  var isNameStart: Bool { isLetter || self == UInt8(ascii: "_") }

  /// The value of a hexadecimal digit.
  var hexValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let lower = self | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) else { return nil }
    return lower - UInt8(ascii: "a") + 10
  }
}
