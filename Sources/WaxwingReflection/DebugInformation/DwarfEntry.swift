// SPDX-License-Identifier: MIT

/// One entry of a unit, with those of its attributes that matter here.
struct DwarfEntry {
  /// The `DW_TAG_` constants that are told apart.
  enum Tag {
    static let parameter: UInt64 = 0x05
    static let member: UInt64 = 0x0d
    static let unit: UInt64 = 0x11
    static let constant: UInt64 = 0x26
    static let function: UInt64 = 0x2e
    static let variable: UInt64 = 0x34
    /// Types of all kinds: arrays, classes, enums, pointers, structs, functions, names of others, base types and
    /// those without a kind.
    static let types: Set<UInt64> = [0x01, 0x02, 0x04, 0x0f, 0x13, 0x15, 0x16, 0x17, 0x24, 0x3b]
  }

  /// The number of the language Swift in DWARF, `DW_LANG_Swift`.
  static let swift: UInt64 = 0x1e

  private(set) var name: DwarfString?
  private(set) var symbol: DwarfString?
  private(set) var language: UInt64?
  private(set) var line: UInt64?
  /// The number of its file in the unit's line table.
  private(set) var file: UInt64?
  /// Of a unit: where its line table is.
  private(set) var lineTable: UInt64?
  private(set) var isArtificial = false
  /// Whether it is a declaration only, which other entries refer to.
  private(set) var isDeclaration = false
  /// Of a unit: whether it was compiled with optimisation.
  private(set) var isOptimized = false
  /// The entry that has its type; offsets here count from the section's beginning.
  private(set) var type: Int?
  /// The entry of which this is a copy, or the definition.
  private(set) var origin: Int?
  private(set) var lowAddress: UInt64?
  /// An address, or how far it is from the low one.
  private(set) var highAddress: (value: UInt64, isOffset: Bool)?
  private(set) var ranges: UInt64?
  /// Of a parameter: where its value is.
  private(set) var location: DwarfLocation?
  private(set) var stringOffsets: Int?

  /// Reads the values after an entry's code. Nil: the rest of the unit cannot be read.
  init?(
    _ shape: DwarfAbbreviations.Entry, _ unit: DwarfUnit, _ cursor: inout DwarfCursor,
    _ sections: DwarfSections, stringOffsets: Int? = nil
  ) {
    for attribute in shape.attributes {
      let next = cursor.position
      switch attribute.name {
      case 0x03, 0x6e, 0x2007:
        var reading = cursor
        let text = DwarfString(
          attribute.form, unit, &reading, sections, stringOffsets: stringOffsets)
        if attribute.name == 0x03 { name = text } else { symbol = text }
      case 0x02:
        var reading = cursor
        location = DwarfLocation(attribute.form, unit, &reading)
      case 0x10, 0x11, 0x12, 0x13, 0x31, 0x34, 0x3a, 0x3b, 0x3c, 0x47, 0x49, 0x55, 0x72, 0x3fe1:
        var reading = cursor
        if let value = DwarfForm.number(attribute.form, unit, &reading) {
          take(attribute, value, unit)
        }
      default: break
      }
      guard DwarfForm.skip(attribute.form, unit, &cursor), cursor.position >= next else {
        return nil
      }
    }
    if cursor.isDamaged { return nil }
  }

  private mutating func take(
    _ attribute: DwarfAbbreviations.Attribute, _ value: UInt64, _ unit: DwarfUnit
  ) {
    switch attribute.name {
    case 0x10: lineTable = value
    case 0x11 where attribute.form == DwarfForm.address: lowAddress = value
    case 0x12 where attribute.form != 0x1b:
      highAddress = (value, attribute.form != DwarfForm.address)
    case 0x13: language = value
    case 0x34: isArtificial = value != 0
    case 0x3a: file = value
    case 0x3b: line = value
    case 0x3c: isDeclaration = value != 0
    case 0x3fe1: isOptimized = value != 0
    case 0x31, 0x47: origin = Self.reference(attribute.form, value, unit)
    case 0x49: type = Self.reference(attribute.form, value, unit)
    case 0x55 where unit.version < 5: ranges = value
    case 0x72: stringOffsets = Int(clamping: value)
    default: break
    }
  }

  private static func reference(_ form: UInt64, _ value: UInt64, _ unit: DwarfUnit) -> Int? {
    if form == DwarfForm.sectionReference { return Int(clamping: value) }
    guard DwarfForm.unitReference.contains(form), value < UInt64(unit.end - unit.start) else {
      return nil
    }
    return unit.start + Int(value)
  }
}
