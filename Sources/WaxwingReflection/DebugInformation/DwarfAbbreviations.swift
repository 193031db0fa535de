// SPDX-License-Identifier: MIT

/// The shapes of a unit's entries, by code.
struct DwarfAbbreviations {
  struct Attribute {
    let name: UInt64
    let form: UInt64
  }

  struct Entry {
    let tag: UInt64
    let hasChildren: Bool
    let attributes: [Attribute]
    /// The bytes of all values; nil if they depend on the values.
    let size: Int?

    /// Skips the values; false if nothing after them can be read.
    func skip(_ unit: DwarfUnit, _ cursor: inout DwarfCursor) -> Bool {
      if let size {
        cursor.skip(size)
      } else {
        for attribute in attributes {
          guard DwarfForm.skip(attribute.form, unit, &cursor) else { return false }
        }
      }
      return !cursor.isDamaged
    }
  }

  /// Compilers count from 1; a damaged table ends here.
  private static let codeLimit: UInt64 = 1 << 16

  private var entries: [Entry?] = []

  /// - Parameter last: With which the reading ends: the only one that is asked for. A unit's own is the first of them.
  init(_ unit: DwarfUnit, in section: UnsafeRawBufferPointer, last: UInt64? = nil) {
    var cursor = unsafe DwarfCursor(section, min(unit.abbreviations, section.count)..<section.count)
    while !cursor.isAtEnd {
      let code = cursor.variable()
      guard code > 0, code < Self.codeLimit else { return }
      let tag = cursor.variable()
      let hasChildren = cursor.number(1) != 0
      let attributes = Self.attributes(&cursor)
      guard !cursor.isDamaged else { return }
      while entries.count <= Int(code) { entries.append(nil) }
      entries[Int(code)] = Entry(
        tag: tag, hasChildren: hasChildren, attributes: attributes,
        size: Self.size(of: attributes, unit))
      if code == last { return }
    }
  }

  subscript(code: UInt64) -> Entry? {
    code < UInt64(entries.count) ? entries[Int(code)] : nil
  }

  private static func attributes(_ cursor: inout DwarfCursor) -> [Attribute] {
    var attributes: [Attribute] = []
    while !cursor.isAtEnd {
      let attribute = Attribute(name: cursor.variable(), form: cursor.variable())
      if attribute.name == 0, attribute.form == 0 { break }
      if attribute.form == DwarfForm.constant { _ = cursor.variable() }
      attributes.append(attribute)
    }
    return attributes
  }

  private static func size(of attributes: [Attribute], _ unit: DwarfUnit) -> Int? {
    var sum = 0
    for attribute in attributes {
      guard let size = DwarfForm.size(attribute.form, unit) else { return nil }
      sum += size
    }
    return sum
  }
}
