// SPDX-License-Identifier: MIT

import Glibc

/// A name as symbols of Swift's have it, `7deposit`: to look for in many of them.
struct MangledWord {
  private let text: [UInt8]

  init(_ name: String) { text = Array("\(name.utf8.count)\(name)".utf8) }

  /// Whether the symbol has the name.
  func isIn(_ symbol: UnsafeRawBufferPointer) -> Bool {
    guard let start = symbol.baseAddress, symbol.count > 2, unsafe symbol[0] == UInt8(ascii: "$"),
      unsafe symbol[1] == UInt8(ascii: "s")
    else { return false }
    var place = unsafe start
    let end = unsafe start + symbol.count - text.count
    while unsafe place <= end, let found = unsafe memchr(place, Int32(text[0]), end - place + 1) {
      if unsafe memcmp(found, text, text.count) == 0 { return true }
      unsafe place = unsafe UnsafeRawPointer(found) + 1
    }
    return false
  }

  /// Whether the symbol has the name, or one that is put together from words of the symbol, `0A6Holder`.
  func mayBeIn(_ symbol: UnsafeRawBufferPointer) -> Bool {
    guard symbol.count < 4096 else { return false }
    return unsafe isIn(symbol) || (symbol.starts(with: "$s".utf8) && Self.hasComposedName(symbol))
  }

  private static func hasComposedName(_ symbol: UnsafeRawBufferPointer) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for index in 2..<max(2, symbol.count - 1) where unsafe symbol[index] == digits.lowerBound {
      let next = unsafe symbol[index + 1] | 0x20
      if next >= UInt8(ascii: "a"), next <= UInt8(ascii: "z"),
        unsafe !digits.contains(symbol[index - 1])
      {
        return true
      }
    }
    return false
  }
}
