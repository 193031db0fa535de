// SPDX-License-Identifier: MIT

/// Bytes that something has happened to.
public enum Mutation {
  /// A few changes: bytes replaced, removed, doubled, and runs of them.
  public static func of(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 20))
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
      }
    }
    return bytes
  }
}
