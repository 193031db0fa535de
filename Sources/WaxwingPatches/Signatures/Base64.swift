// SPDX-License-Identifier: MIT

/// Base64 as the two tools that make signatures read it.
///
/// They differ in what they overlook, and a verdict must be theirs: `ssh-keygen` skips white space
/// and minds the bits that are left over; minisign does not skip and does not mind.
enum Base64 {
  enum Dialect {
    case openSSH
    case minisign
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Nil if the text is not Base64 of the dialect.
  static func decoded(_ text: some Sequence<UInt8>, _ dialect: Dialect) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, digits, padding) = (UInt32(0), 0, 0)
    for character in text {
      if dialect == .openSSH, isSpace(character) { continue }
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = values[Int(character)] else { return nil }
      bits = bits << 6 | UInt32(value)
      digits += 1
      guard digits == 4 else { continue }
      bytes += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
      bytes.append(UInt8(truncatingIfNeeded: bits))
      (bits, digits) = (0, 0)
    }
    switch (digits, padding) {
    case (0, 0): return bytes
    case (2, 2):
      if dialect == .openSSH, bits & 0xf != 0 { return nil }
      return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case (3, 1):
      if dialect == .openSSH, bits & 0x3 != 0 { return nil }
      return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    default: return nil
    }
  }

  /// The Base64 text without the `=` at the end, as fingerprints are written.
  static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= 8 * UInt32(3 - group.count)
      for digit in 0...group.count {
        text.append(alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether C's `isspace` is true in the locale "C".
  private static func isSpace(_ character: UInt8) -> Bool {
    character == 0x20 || (0x09...0x0d).contains(character)
  }
}
