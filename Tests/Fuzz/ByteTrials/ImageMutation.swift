// SPDX-License-Identifier: MIT

import SeededRandom

/// Sets fields of an ELF image, of its header, its sections' headers and its symbols, to what readers
/// stumble over: other fields' values, the file's size, and numbers near the ends of their types.
struct ImageMutation {
  private struct Field {
    let place: Int
    let size: Int
  }

  /// Offset and size, of the header, a section header and a symbol.
  private static let header = [
    (16, 2), (18, 2), (32, 8), (40, 8), (54, 2), (56, 2), (58, 2), (60, 2), (62, 2),
  ]
  private static let section = [
    (0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8),
  ]
  private static let segment = [(0, 4), (8, 8), (32, 8), (40, 8)]
  private static let symbol = [(0, 4), (4, 1), (6, 2), (8, 8), (16, 8)]

  private let fields: [Field]

  /// Finds the fields of a whole image.
  init(_ image: [UInt8]) {
    var fields = Self.header.map(Field.init)
    let start = Int(Self.number(image, 40, 8))
    let segments = Int(Self.number(image, 32, 8))
    fields += Self.segment.map { Field(place: segments + $0.0, size: $0.1) }
    for index in 0..<Int(Self.number(image, 60, 2)) {
      let header = start + 64 * index
      fields += Self.section.map { Field(place: header + $0.0, size: $0.1) }
      guard [2, 11].contains(Self.number(image, header + 4, 4)) else { continue }
      let offset = Int(Self.number(image, header + 24, 8))
      for entry in stride(from: 0, to: Int(Self.number(image, header + 32, 8)), by: 24) {
        fields += Self.symbol.map { Field(place: offset + entry + $0.0, size: $0.1) }
      }
    }
    self.fields = fields.filter { $0.place + $0.size <= image.count }
  }

  /// Sets up to three fields of the image.
  func of(_ image: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var image = image
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let field = fields.randomElement(using: &random) else { break }
      let value = value(field, image, &random)
      for index in 0..<field.size {
        image[field.place + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
      }
    }
    return image
  }

  private func value(
    _ field: Field, _ image: [UInt8], _ random: inout SeededGenerator
  ) -> UInt64 {
    let old = Self.number(image, field.place, field.size)
    let count = UInt64(image.count)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return [0, 1, 2, 3, 7, 8, 11].randomElement(using: &random) ?? 0
    case 1: return old &+ 1
    case 2: return old &- 1
    case 3: return old ^ (1 << UInt64.random(in: 0..<UInt64(8 * field.size), using: &random))
    case 4: return count &+ UInt64.random(in: 0...4, using: &random) &- 2
    case 5: return UInt64.max &- UInt64.random(in: 0...64, using: &random)
    case 6: return 1 << UInt64.random(in: 15...63, using: &random)
    default:
      guard let other = fields.randomElement(using: &random) else { return 0 }
      return Self.number(image, other.place, other.size)
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> UInt64 {
    bytes[place..<(place + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
