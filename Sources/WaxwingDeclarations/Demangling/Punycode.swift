// SPDX-License-Identifier: MIT

/// Swift's variant of [RFC 3492](https://www.rfc-editor.org/rfc/rfc3492): digits are `a…z`, `A…J`,
/// the delimiter is `_`, and ASCII characters that may not stand in a symbol travel as 0xD800 +
/// code.
enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  private static let firstScalar: UInt32 = 0x80

  static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    var scalars: [UInt32] = []
    var rest = bytes
    if let delimiter = bytes.lastIndex(of: 0x5f) {
      guard bytes[..<delimiter].allSatisfy({ $0 < 0x80 }) else { return nil }
      scalars = bytes[..<delimiter].map(UInt32.init)
      rest = bytes[(delimiter + 1)...]
    }
    var scalar = firstScalar
    var bias = firstBias
    var index = 0
    while !rest.isEmpty {
      let start = index
      guard let delta = number(from: &rest, bias: bias) else { return nil }
      index += delta
      let count = scalars.count + 1
      bias = adapted(index - start, count: count, isFirst: start == 0)
      guard index / count < 0x11_0000 else { return nil }
      scalar += UInt32(index / count)
      index %= count
      guard scalar < 0x11_0000 else { return nil }
      scalars.insert(scalar, at: index)
      index += 1
    }
    return string(of: scalars)
  }

  /// One number in variable-length digits, small enough that no computation with it overflows.
  private static func number(from rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var number = 0
    var weight = 1
    for position in stride(from: base, to: base * 40, by: base) {
      guard let byte = rest.popFirst(), let digit = digit(of: byte) else { return nil }
      number += digit * weight
      guard number < 1 << 32 else { return nil }
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { return number }
      weight *= base - threshold
      guard weight < 1 << 32 else { return nil }
    }
    return nil
  }

  private static func digit(of byte: UInt8) -> Int? {
    switch byte {
    case 0x61...0x7a: Int(byte - 0x61)
    case 0x41...0x4a: Int(byte - 0x41) + 26
    default: nil
    }
  }

  static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += base
    }
    return bias + 36 * delta / (delta + 38)
  }

  private static func string(of scalars: [UInt32]) -> String? {
    var text = String.UnicodeScalarView()
    for value in scalars {
      let plain = (0xd800..<0xd880).contains(value) ? value - 0xd800 : value
      guard let scalar = Unicode.Scalar(plain) else { return nil }
      text.append(scalar)
    }
    return String(text)
  }
}
