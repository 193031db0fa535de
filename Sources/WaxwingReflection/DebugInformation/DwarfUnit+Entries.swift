// SPDX-License-Identifier: MIT

extension DwarfUnit {
  /// An entry's place in its unit.
  struct Place {
    let tag: UInt64
    let offset: Int
    /// Where the entry is that this one is within; -1: it is the unit's own.
    let parent: Int
  }

  /// Goes through the entries in their order, as far as the unit is valid.
  /// - Parameters:
  ///   - isRead: Whether the attributes of entries with a tag are wanted. The others are skipped, which costs less.
  ///   - body: Gets nil for an entry that was skipped.
  @inline(__always)
  func forEachEntry(
    _ shapes: DwarfAbbreviations, _ sections: DwarfSections, reading isRead: (UInt64) -> Bool,
    _ body: (Place, DwarfEntry?) -> Void
  ) {
    var cursor = unsafe DwarfCursor(sections.info, entries..<end)
    var parents: [Int] = []
    var stringOffsets: Int?
    while !cursor.isAtEnd {
      let offset = cursor.position
      let code = cursor.variable()
      if code == 0 {
        guard parents.popLast() != nil else { return }
        continue
      }
      guard let shape = shapes[code] else { return }
      var found: DwarfEntry?
      if isRead(shape.tag) {
        guard let entry = DwarfEntry(shape, self, &cursor, sections, stringOffsets: stringOffsets)
        else { return }
        if shape.tag == DwarfEntry.Tag.unit { stringOffsets = entry.stringOffsets }
        found = entry
      } else {
        guard shape.skip(self, &cursor) else { return }
      }
      body(Place(tag: shape.tag, offset: offset, parent: parents.last ?? -1), found)
      if shape.hasChildren { parents.append(offset) }
    }
  }
}
