// SPDX-License-Identifier: MIT

/// Reads SSH's wire format (RFC 4251, section 5) from foreign bytes: every length is compared with
/// what is there before anything is taken.
struct SSHReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number() -> UInt32? {
    bytes(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  mutating func string() -> [UInt8]? {
    guard let count = number() else { return nil }
    return bytes(Int(count))
  }

  /// Reads a name; nil if it is not one line of plain text, as names never need more.
  mutating func name() -> String? {
    guard let bytes = string(), bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Writes SSH's wire format.
struct SSHWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ raw: some Sequence<UInt8>) { bytes += raw }

  mutating func putString(_ string: some Collection<UInt8>) {
    let count = UInt32(truncatingIfNeeded: string.count)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    bytes += string
  }
}
