// SPDX-License-Identifier: MIT

/// The SHA-256 of some bytes, as `sha256sum` prints it: it names a patch's file in the store, links
/// the records of the audit log, and shows whether a file is whole.
package struct ContentHash: Hashable, Sendable {
  /// 64 lower-case hexadecimal digits.
  package let hex: String

  /// The hash of bytes.
  package init(of bytes: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    hex = String(
      decoding: Sodium.sha256(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// Reads a hash of 64 digits.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    hex = String(text)
  }

  /// The first 12 digits, for people.
  package var short: String { String(hex.prefix(12)) }

  /// The first 8 bytes, as breadcrumbs have them; never 0.
  package var prefix: UInt64 { max(1, UInt64(hex.prefix(16), radix: 16) ?? 1) }
}
