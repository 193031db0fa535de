// SPDX-License-Identifier: MIT

/// The header of a unit: what one compilation has left in the debugging information.
struct DwarfUnit {
  /// The offset at which the unit begins in its section, as all offsets.
  let start: Int
  /// Where the next one begins.
  let end: Int
  /// Where its first entry is.
  let entries: Int
  let version: UInt64
  /// 4, or 8 in the 64-bit format.
  let offsetSize: Int
  let addressSize: Int
  /// Where its abbreviations are, in their section.
  let abbreviations: Int

  /// Nil at the end of the section, and where it is damaged.
  init?(at start: Int, in section: UnsafeRawBufferPointer) {
    var cursor = unsafe DwarfCursor(section, start..<section.count)
    var length = cursor.number(4)
    offsetSize = length == 0xffff_ffff ? 8 : 4
    if offsetSize == 8 { length = cursor.number(8) }
    guard !cursor.isDamaged, length > 0, length <= UInt64(section.count - cursor.position) else {
      return nil
    }
    self.start = start
    end = cursor.position + Int(length)
    version = cursor.number(2)
    guard (2...5).contains(version) else { return nil }
    // Version 5 says what kind of unit it is, first, and has the other two in another order.
    let kind = version == 5 ? cursor.number(1) : Self.compilation
    let early = version == 5 ? cursor.number(1) : 0
    let offset = cursor.number(offsetSize)
    addressSize = Int(version == 5 ? early : cursor.number(1))
    guard !cursor.isDamaged, cursor.position <= end, addressSize == 8 || addressSize == 4,
      offset <= UInt64(Int32.max)
    else { return nil }
    abbreviations = Int(offset)
    // Others have more in their header, and no functions.
    entries = kind == Self.compilation ? cursor.position : end
  }

  private static let compilation: UInt64 = 1
}
