// SPDX-License-Identifier: MIT

import SeededRandom

/// Damages bytes as discs, networks and enemies do.
struct ByteMutation {
  private static let notable: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x22, 0x5b, 0x7b, 0x7d]

  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Some damage to a sample; parts of others may get into it.
  mutating func damaged(_ sample: [UInt8], among samples: [[UInt8]]) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&bytes, samples) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8], _ samples: [[UInt8]]) {
    guard !bytes.isEmpty else {
      bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in byte() }
      return
    }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let length = min(Int.random(in: 1...16, using: &random), bytes.count - place)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = byte()
    case 2: bytes.removeSubrange(place..<(place + length))
    case 3: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
    case 4: bytes.insert(byte(), at: place)
    case 5: bytes = Array(bytes[..<place])
    case 6:
      let other = samples.randomElement(using: &random) ?? []
      let part = other.suffix(Int.random(in: 0...max(other.count, 0), using: &random)).prefix(64)
      bytes.replaceSubrange(place..<(place + length), with: part)
    default:
      for index in place..<(place + length) { bytes[index] = 0xff }
    }
  }

  private mutating func byte() -> UInt8 {
    Bool.random(using: &random)
      ? UInt8.random(in: 0...255, using: &random)
      : Self.notable.randomElement(using: &random) ?? 0
  }
}
