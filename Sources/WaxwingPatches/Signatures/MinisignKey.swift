// SPDX-License-Identifier: MIT

/// A public key of minisign: the second line of `minisign.pub`, `RWQ…`.
struct MinisignKey: Hashable, Sendable {
  /// The identifier of the key. Signatures carry it, and it proves nothing.
  let id: [UInt8]
  let key: [UInt8]
  /// The key as it is written, which is also how it is named.
  let text: String

  /// Nil if the text is no key.
  init?(_ text: some StringProtocol) {
    guard let bytes = Base64.decoded(text.utf8, .minisign), bytes.count == 42,
      bytes.starts(with: "Ed".utf8)
    else { return nil }
    id = Array(bytes[2..<10])
    key = Array(bytes[10...])
    self.text = String(text)
  }

  /// The number that minisign prints.
  static func number(_ id: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF")
    let text = id.reversed().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(text.drop { $0 == "0" })
  }
}
