// SPDX-License-Identifier: MIT

internal import CWaxwingCalls

extension ValueCodec {
  /// How C moves such values; nil: it cannot.
  var move: waxwing_move? {
    if let plain { return plain.move }
    return self is StringCodec ? WAXWING_MOVE_STRING : nil
  }
}

extension PlainKind {
  /// How C moves such values: the numbers are the same.
  var move: waxwing_move { waxwing_move(UInt32(rawValue)) }
}
