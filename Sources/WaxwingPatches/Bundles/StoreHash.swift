// SPDX-License-Identifier: MIT

internal import CSodium

/// SHA-256, as `sha256sum` prints it: the name of a patch's file in the store.
package struct StoreHash: Hashable, Sendable {
  /// 64 lower-case hexadecimal digits.
  package let hex: String

  /// The hash of bytes.
  package init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    // It cannot fail, and needs no `sodium_init`: crypto_hash_sha256 of libsodium 1.0 is plain C.
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    let digits = Array("0123456789abcdef".utf8)
    hex = String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Reads 64 digits.
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
