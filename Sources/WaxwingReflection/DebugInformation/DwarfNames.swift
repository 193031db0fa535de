// SPDX-License-Identifier: MIT

/// The index of the names in debugging information, `.debug_names`: section 6.1.1 of DWARF 5.
///
/// The compiler writes one for each file of objects, and the linker puts them behind one another. Nobody vouches for
/// them.
enum DwarfNames {
  /// Where in `.debug_info` the units are that describe the function of this symbol, or another function whose name has
  /// the same hash. nil: there is no index, or one that cannot be read.
  static func units(of symbol: String, in section: UnsafeRawBufferPointer) -> Set<Int>? {
    let hash = hash(symbol)
    var units: Set<Int> = []
    var position = 0
    while position < section.count {
      guard let index = unsafe Index(at: position, in: section),
        unsafe index.add(hash, section, to: &units)
      else { return nil }
      position = index.end
    }
    return position == 0 ? nil : units
  }

  /// Bernstein's hash, without regard to case. Symbols are ASCII.
  static func hash(_ name: String) -> UInt32 {
    var hash: UInt32 = 5381
    for byte in name.utf8 {
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      hash = hash &* 33 &+ UInt32(isUpper ? byte + 32 : byte)
    }
    return hash
  }

  private struct Index {
    let end: Int
    private let offsetSize: Int
    private let units: Int
    private let unitCount: Int
    private let buckets: Int
    private let bucketCount: Int
    private let nameCount: Int
    private let abbreviations: Int
    private let pool: Int

    init?(at start: Int, in section: UnsafeRawBufferPointer) {
      var cursor = unsafe DwarfCursor(section, start..<section.count)
      var length = cursor.number(4)
      offsetSize = length == 0xffff_ffff ? 8 : 4
      if offsetSize == 8 { length = cursor.number(8) }
      guard !cursor.isDamaged, length <= UInt64(section.count - cursor.position) else { return nil }
      end = cursor.position + Int(length)
      guard cursor.number(2) == 5 else { return nil }
      cursor.skip(2)
      let counts = (0..<7).map { _ in Int(cursor.number(4)) }
      cursor.skip((counts[6] + 3) / 4 * 4)
      guard !cursor.isDamaged else { return nil }
      (unitCount, bucketCount, nameCount) = (counts[0], counts[3], counts[4])
      units = cursor.position
      buckets = units + (unitCount + counts[1]) * offsetSize + counts[2] * 8
      let offsets = buckets + bucketCount * 4 + (bucketCount > 0 ? nameCount * 4 : 0)
      abbreviations = offsets + 2 * nameCount * offsetSize
      pool = abbreviations + counts[5]
      // Nothing is looked for where there are no hashes.
      guard bucketCount > 0 || nameCount == 0, pool <= end else { return nil }
    }

    /// - Returns: False: it is damaged.
    func add(
      _ hash: UInt32, _ section: UnsafeRawBufferPointer, to found: inout Set<Int>
    ) -> Bool {
      guard nameCount > 0 else { return true }
      let bucket = hash % UInt32(bucketCount)
      var number = unsafe load(buckets + Int(bucket) * 4, 4, section)
      while number > 0, number <= nameCount {
        let other = unsafe UInt32(load(hashes + (number - 1) * 4, 4, section))
        if other % UInt32(bucketCount) != bucket { break }
        if other == hash, unsafe !addEntries(of: number - 1, section, to: &found) { return false }
        number += 1
      }
      return true
    }

    private var hashes: Int { buckets + bucketCount * 4 }

    private func load(_ position: Int, _ size: Int, _ section: UnsafeRawBufferPointer) -> Int {
      var cursor = unsafe DwarfCursor(section, position..<end)
      return Int(clamping: cursor.number(size))
    }

    private func addEntries(
      of name: Int, _ section: UnsafeRawBufferPointer, to found: inout Set<Int>
    ) -> Bool {
      let place = hashes + nameCount * 4 + (nameCount + name) * offsetSize
      let offset = unsafe load(place, offsetSize, section)
      guard offset <= end - pool else { return false }
      let shapes = unsafe shapes(section)
      var cursor = unsafe DwarfCursor(section, (pool + offset)..<end)
      while true {
        let code = cursor.variable()
        if code == 0 { return !cursor.isDamaged }
        guard let shape = shapes[code] else { return false }
        var unit = 0
        for (part, form) in shape.parts {
          guard let value = DwarfForm.number(form, &cursor) else { return false }
          if part == 1 { unit = Int(clamping: value) }
        }
        guard shape.tag == DwarfEntry.Tag.function, unit < unitCount else { continue }
        found.insert(unsafe load(units + unit * offsetSize, offsetSize, section))
      }
    }

    private func shapes(
      _ section: UnsafeRawBufferPointer
    ) -> [UInt64: (tag: UInt64, parts: [(part: UInt64, form: UInt64)])] {
      var shapes: [UInt64: (tag: UInt64, parts: [(part: UInt64, form: UInt64)])] = [:]
      var cursor = unsafe DwarfCursor(section, abbreviations..<pool)
      while !cursor.isAtEnd {
        let code = cursor.variable()
        if code == 0 { break }
        let tag = cursor.variable()
        var parts: [(part: UInt64, form: UInt64)] = []
        while !cursor.isAtEnd {
          let part = (cursor.variable(), cursor.variable())
          if part.0 == 0, part.1 == 0 { break }
          parts.append(part)
        }
        shapes[code] = (tag, parts)
      }
      return shapes
    }
  }
}
