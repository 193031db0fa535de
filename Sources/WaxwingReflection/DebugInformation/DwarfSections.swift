// SPDX-License-Identifier: MIT

/// The sections over which debugging information is spread; empty if an image does not have them.
/// Safe: none exists outside of `with`, which lends the image's bytes.
@safe
struct DwarfSections {
  let info: UnsafeRawBufferPointer
  let abbreviations: UnsafeRawBufferPointer
  let strings: UnsafeRawBufferPointer
  let stringOffsets: UnsafeRawBufferPointer
  let ranges: UnsafeRawBufferPointer
  let locations: UnsafeRawBufferPointer
  let lines: UnsafeRawBufferPointer
  let lineStrings: UnsafeRawBufferPointer

  static let names: Set = [
    ".debug_info", ".debug_abbrev", ".debug_str", ".debug_str_offsets", ".debug_ranges",
    ".debug_loc", ".debug_line", ".debug_line_str",
  ]

  /// Lends them. Nil: the image has no debugging information.
  static func with<Result>(
    _ image: ElfImage, _ body: (DwarfSections) -> Result
  ) -> Result? {
    func range(_ name: String) -> Range<Int> {
      image.section(named: name).flatMap { try? image.range(of: $0) } ?? 0..<0
    }
    let info = range(".debug_info")
    let abbreviations = range(".debug_abbrev")
    guard !info.isEmpty, !abbreviations.isEmpty else { return nil }
    let strings = range(".debug_str")
    let stringOffsets = range(".debug_str_offsets")
    let ranges = range(".debug_ranges")
    let locations = range(".debug_loc")
    let lines = range(".debug_line")
    let lineStrings = range(".debug_line_str")
    return unsafe image.reader.bytes.withUnsafeBytes { bytes in
      unsafe body(
        DwarfSections(
          info: UnsafeRawBufferPointer(rebasing: bytes[info]),
          abbreviations: UnsafeRawBufferPointer(rebasing: bytes[abbreviations]),
          strings: UnsafeRawBufferPointer(rebasing: bytes[strings]),
          stringOffsets: UnsafeRawBufferPointer(rebasing: bytes[stringOffsets]),
          ranges: UnsafeRawBufferPointer(rebasing: bytes[ranges]),
          locations: UnsafeRawBufferPointer(rebasing: bytes[locations]),
          lines: UnsafeRawBufferPointer(rebasing: bytes[lines]),
          lineStrings: UnsafeRawBufferPointer(rebasing: bytes[lineStrings])))
    }
  }
}

/// A string that an attribute refers to.
enum DwarfString {
  /// The string is in the section of the entries.
  case inline(Int)
  /// The string is in the section of the strings.
  case shared(Int)

  /// Reads an attribute's value. Nil: it is no string, or is not there.
  init?(
    _ form: UInt64, _ unit: DwarfUnit, _ cursor: inout DwarfCursor, _ sections: DwarfSections,
    stringOffsets: Int?
  ) {
    switch form {
    case DwarfForm.string: self = .inline(cursor.string())
    case DwarfForm.stringOffset:
      self = .shared(Int(clamping: cursor.number(unit.offsetSize)))
    case DwarfForm.stringIndex, DwarfForm.shortStringIndices:
      guard let index = DwarfForm.number(form, unit, &cursor), let base = stringOffsets,
        unsafe base <= sections.stringOffsets.count,
        unsafe index < UInt64(sections.stringOffsets.count)
      else { return nil }
      let place = base + Int(index) * unit.offsetSize
      var table = unsafe DwarfCursor(
        sections.stringOffsets, place..<max(place, sections.stringOffsets.count))
      let offset = table.number(unit.offsetSize)
      guard !table.isDamaged else { return nil }
      self = .shared(Int(clamping: offset))
    default:
      return nil
    }
  }

  func bytes(_ sections: DwarfSections) -> UnsafeRawBufferPointer {
    let (section, start) =
      switch self {
      case .inline(let start): unsafe (sections.info, start)
      case .shared(let start): unsafe (sections.strings, start)
      }
    guard start >= 0, start < section.count else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let tail = unsafe section[start...]
    return unsafe UnsafeRawBufferPointer(rebasing: tail.prefix { $0 != 0 })
  }

  func equals(_ text: StaticString, _ sections: DwarfSections) -> Bool {
    let (section, start) =
      switch self {
      case .inline(let start): unsafe (sections.info, start)
      case .shared(let start): unsafe (sections.strings, start)
      }
    let count = text.utf8CodeUnitCount
    guard start >= 0, count < section.count, start < section.count - count else { return false }
    for index in 0..<count where unsafe section[start + index] != text.utf8Start[index] {
      return false
    }
    return unsafe section[start + count] == 0
  }
}
