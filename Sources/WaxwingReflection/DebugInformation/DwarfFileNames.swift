// SPDX-License-Identifier: MIT

/// The names of a unit's files, without their folders, by the numbers that entries use: the header of the unit's line
/// table, sections 6.2.4 of DWARF 4 and 5.
struct DwarfFileNames {
  /// Units have one for each source of a module at most.
  private static let most = 1 << 16

  private var names: [String] = []
  /// The number of the first.
  private var first: UInt64 = 1

  /// No names.
  init() {}

  /// Reads them, as far as they are valid.
  init(_ lineTable: UInt64?, _ sections: DwarfSections) {
    guard let start = lineTable.map({ Int(clamping: $0) }), unsafe start < sections.lines.count
    else { return }
    var cursor = unsafe DwarfCursor(sections.lines, start..<sections.lines.count)
    var length = cursor.number(4)
    let offsetSize = length == 0xffff_ffff ? 8 : 4
    if offsetSize == 8 { length = cursor.number(8) }
    let version = cursor.number(2)
    guard !cursor.isDamaged, (2...5).contains(version) else { return }
    if version == 5 { cursor.skip(2) }
    cursor.skip(offsetSize)
    cursor.skip(version >= 4 ? 5 : 4)
    let opcodes = Int(cursor.number(1))
    cursor.skip(max(opcodes - 1, 0))
    if version == 5 {
      first = 0
      readDescribed(&cursor, offsetSize, sections)
    } else {
      readPlain(&cursor, sections)
    }
  }

  /// The name of a file; nil: there is none, or the compiler has made it up.
  subscript(number: UInt64) -> String? {
    guard number >= first, number - first < UInt64(names.count) else { return nil }
    let name = names[Int(number - first)]
    return name.isEmpty || name.hasPrefix("<") ? nil : name
  }

  /// Before version 5: folders, each a string, and files, each a string and three numbers.
  private mutating func readPlain(_ cursor: inout DwarfCursor, _ sections: DwarfSections) {
    while !cursor.isAtEnd, unsafe !Self.text(cursor.string(), in: sections.lines).isEmpty {}
    while !cursor.isAtEnd, names.count < Self.most {
      let name = unsafe Self.text(cursor.string(), in: sections.lines)
      if name.isEmpty || cursor.isDamaged { return }
      names.append(Self.last(name))
      for _ in 0..<3 { _ = cursor.variable() }
    }
  }

  /// From version 5 on both tables say what is in them.
  private mutating func readDescribed(
    _ cursor: inout DwarfCursor, _ offsetSize: Int, _ sections: DwarfSections
  ) {
    for table in 0..<2 {
      let formats = (0..<cursor.number(1)).map { _ in (cursor.variable(), cursor.variable()) }
      let count = min(Int(clamping: cursor.variable()), Self.most)
      for _ in 0..<count {
        var name = ""
        for (content, form) in formats {
          guard let text = Self.value(form, &cursor, offsetSize, sections), !cursor.isDamaged
          else { return }
          if content == 1 { name = text }
        }
        if table == 1 { names.append(Self.last(name)) }
      }
    }
  }

  /// The text of a value, if it has one. Nil: the form is not known.
  private static func value(
    _ form: UInt64, _ cursor: inout DwarfCursor, _ offsetSize: Int, _ sections: DwarfSections
  ) -> String? {
    switch form {
    case DwarfForm.string: return unsafe text(cursor.string(), in: sections.lines)
    case DwarfForm.lineStringOffset:
      return unsafe text(Int(clamping: cursor.number(offsetSize)), in: sections.lineStrings)
    case DwarfForm.stringOffset:
      return unsafe text(Int(clamping: cursor.number(offsetSize)), in: sections.strings)
    case 0x1e: cursor.skip(16)
    case 0x09: cursor.skip(cursor.variable())
    default: return DwarfForm.number(form, &cursor).map { _ in "" }
    }
    return ""
  }

  private static func text(_ start: Int, in section: UnsafeRawBufferPointer) -> String {
    guard start >= 0, start < section.count else { return "" }
    return unsafe String(decoding: section[start...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func last(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
