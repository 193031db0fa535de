// SPDX-License-Identifier: MIT

/// Finds the build id among an image's notes. A damaged note ends the search, not the reading of
/// the image: the id is a convenience.
struct ElfNotes {
  let reader: ElfReader

  func buildID(segments: [(offset: UInt64, size: UInt64)], sections: [ElfSection]) -> String? {
    for segment in segments {
      if let id = buildID(offset: segment.offset, size: segment.size) { return id }
    }
    for section in sections where section.type == ElfSection.noteType {
      if let id = buildID(offset: section.offset, size: section.size) { return id }
    }
    return nil
  }

  private func buildID(offset: UInt64, size: UInt64) -> String? {
    guard let range = try? reader.range(offset: offset, size: size, part: "a note") else {
      return nil
    }
    var position = UInt64(range.lowerBound)
    let end = UInt64(range.upperBound)
    while end - position >= 12 {
      guard let note = try? note(at: position), note.end <= end else { return nil }
      if note.isBuildID { return Self.hexadecimal(reader.bytes[note.content]) }
      position = note.end
    }
    return nil
  }

  private func note(
    at position: UInt64
  ) throws(ElfError) -> (isBuildID: Bool, content: Range<Int>, end: UInt64) {
    let nameSize = UInt64(try reader.load(UInt32.self, at: position, part: "a note"))
    let contentSize = UInt64(try reader.load(UInt32.self, at: position + 4, part: "a note"))
    let type = try reader.load(UInt32.self, at: position + 8, part: "a note")
    let name = try reader.range(offset: position + 12, size: nameSize, part: "a note")
    let contentStart = position + 12 + Self.aligned(nameSize)
    let content = try reader.range(offset: contentStart, size: contentSize, part: "a note")
    let isGNU = reader.bytes[name].elementsEqual([0x47, 0x4e, 0x55, 0])
    return (isGNU && type == 3, content, contentStart + Self.aligned(contentSize))
  }

  /// Sizes are 32-bit, so nothing here can overflow 64 bits.
  private static func aligned(_ size: UInt64) -> UInt64 { (size + 3) & ~3 }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }, as: UTF8.self)
  }
}
