// SPDX-License-Identifier: MIT

/// How an attribute's value is written: the `DW_FORM_` constants that are told apart.
enum DwarfForm {
  static let address: UInt64 = 0x01
  static let string: UInt64 = 0x08
  static let stringOffset: UInt64 = 0x0e
  static let lineStringOffset: UInt64 = 0x1f
  static let unitReference: ClosedRange<UInt64> = 0x11...0x15
  static let sectionReference: UInt64 = 0x10
  static let sectionOffset: UInt64 = 0x17
  static let expression: UInt64 = 0x18
  static let presentFlag: UInt64 = 0x19
  static let constant: UInt64 = 0x21
  /// Strings by their index in the unit's table: the number takes 1 to 4 bytes, or as many as it needs.
  static let stringIndex: UInt64 = 0x1a
  static let shortStringIndices: ClosedRange<UInt64> = 0x25...0x28

  /// The bytes of a value; nil if they depend on the value.
  static func size(_ form: UInt64, _ unit: DwarfUnit) -> Int? {
    switch form {
    case 0x01: unit.addressSize
    case 0x0e, 0x17, 0x1d, 0x1f, 0x1f20, 0x1f21: unit.offsetSize
    case sectionReference: unit.version == 2 ? unit.addressSize : unit.offsetSize
    default: size(form)
    }
  }

  /// The bytes of a value that has as many in every unit; nil of other forms.
  private static func size(_ form: UInt64) -> Int? {
    switch form {
    case 0x0b, 0x0c, 0x11, 0x25, 0x29: 1
    case 0x05, 0x12, 0x26, 0x2a: 2
    case 0x27, 0x2b: 3
    case 0x06, 0x13, 0x1c, 0x28, 0x2c: 4
    case 0x07, 0x14, 0x20, 0x24: 8
    case 0x1e: 16
    case presentFlag, constant: 0
    default: nil
    }
  }

  /// Skips a value; false if the form is not known, so that nothing after it can be read.
  static func skip(_ form: UInt64, _ unit: DwarfUnit, _ cursor: inout DwarfCursor) -> Bool {
    if let size = size(form, unit) {
      cursor.skip(size)
      return true
    }
    switch form {
    case 0x09, 0x18: cursor.skip(cursor.variable())  // a block, an expression
    case 0x0a: cursor.skip(cursor.number(1))
    case 0x03: cursor.skip(cursor.number(2))
    case 0x04: cursor.skip(cursor.number(4))
    case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: _ = cursor.variable()
    case string: _ = cursor.string()
    default: return false
    }
    return true
  }

  /// A value that is a number. Nil: it is none, or not a plain one.
  static func number(
    _ form: UInt64, _ unit: DwarfUnit, _ cursor: inout DwarfCursor
  ) -> UInt64? {
    if let number = number(form, &cursor) { return number }
    guard size(form) == nil, let size = size(form, unit) else { return nil }
    return cursor.number(size)
  }

  /// Reads a number of a form that is the same in every unit; nil if it is another form, or has no
  /// number.
  static func number(_ form: UInt64, _ cursor: inout DwarfCursor) -> UInt64? {
    switch form {
    case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: return cursor.variable()
    case presentFlag: return 1
    case constant, 0x1e: return nil
    default: return size(form).map { cursor.number($0) }
    }
  }
}
