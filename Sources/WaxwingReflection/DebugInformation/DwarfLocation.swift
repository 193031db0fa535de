// SPDX-License-Identifier: MIT

/// Where a parameter's value is while the code of its function runs.
enum DwarfLocation {
  /// One expression, in these bytes of the section of the entries, for all of the code.
  case always(Range<Int>)
  /// A list of ranges of the code, at this offset in the section of the locations, each with an expression.
  case list(UInt64)

  /// Reads an attribute's value. Nil: it is of a form that is not known, such as a list of DWARF 5.
  init?(_ form: UInt64, _ unit: DwarfUnit, _ cursor: inout DwarfCursor) {
    switch form {
    case DwarfForm.expression:
      let count = cursor.variable()
      guard count <= UInt64(cursor.end - cursor.position) else { return nil }
      self = .always(cursor.position..<cursor.position + Int(count))
    case DwarfForm.sectionOffset where unit.version < 5:
      self = .list(cursor.number(unit.offsetSize))
    default: return nil
    }
  }

  /// The registers that hold the value, or its address, when the function begins: bit n for the register that DWARF
  /// numbers n.
  /// - Parameters:
  ///   - address: Where the function begins.
  ///   - base: What the addresses in lists of the unit count from.
  func registers(
    at address: UInt64, base: UInt64, _ unit: DwarfUnit, _ sections: DwarfSections
  ) -> UInt32 {
    switch self {
    case .always(let range):
      return Self.registers(unsafe DwarfCursor(sections.info, range))
    case .list(let offset):
      return Self.registers(inList: offset, at: address, base: base, unit, sections)
    }
  }

  /// A list of DWARF 2 to 4.
  private static func registers(
    inList offset: UInt64, at address: UInt64, base: UInt64, _ unit: DwarfUnit,
    _ sections: DwarfSections
  ) -> UInt32 {
    let count = unsafe sections.locations.count
    guard offset < UInt64(count) else { return 0 }
    var cursor = unsafe DwarfCursor(sections.locations, Int(offset)..<count)
    var base = base
    let largest = unit.addressSize == 8 ? UInt64.max : UInt64(UInt32.max)
    while !cursor.isAtEnd {
      let low = cursor.number(unit.addressSize)
      let high = cursor.number(unit.addressSize)
      if low == 0, high == 0 { break }
      if low == largest {
        base = high
        continue
      }
      let size = Int(cursor.number(2))
      let start = cursor.position
      cursor.skip(size)
      guard !cursor.isDamaged else { break }
      guard base &+ low <= address, address < base &+ high else { continue }
      return registers(unsafe DwarfCursor(sections.locations, start..<start + size))
    }
    return 0
  }

  /// The registers of an expression, up to the first operation that is not known.
  private static func registers(_ expression: DwarfCursor) -> UInt32 {
    var cursor = expression
    var found: UInt32 = 0
    while !cursor.isAtEnd {
      let operation = cursor.number(1)
      switch operation {
      case 0x50...0x6f: found |= 1 << UInt32(operation - 0x50)
      case 0x70...0x8f:
        found |= 1 << UInt32(operation - 0x70)
        _ = cursor.variable()
      case 0x23, 0x93: _ = cursor.variable()  // DW_OP_plus_uconst, DW_OP_piece
      case 0x06, 0x9f: break  // DW_OP_deref, DW_OP_stack_value
      default: return found
      }
      if cursor.isDamaged { return 0 }
    }
    return found
  }
}
