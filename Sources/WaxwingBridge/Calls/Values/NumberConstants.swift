// SPDX-License-Identifier: MIT

/// The constants of number types that are inlined wherever they are used, so that the standard
/// library has no function for them: `Int.max`, `Double.infinity`.
package enum NumberConstants {
  /// The constant of a number type; nil if the type is no number, or has no such constant.
  package static func value(_ name: String, of type: any Any.Type) -> Any? {
    if let type = type as? any FixedWidthInteger.Type { return integer(name, type) }
    if let type = type as? any BinaryFloatingPoint.Type { return floatingPoint(name, type) }
    return nil
  }

  private static func integer(_ name: String, _ type: (some FixedWidthInteger).Type) -> Any? {
    switch name {
    case "max": type.max
    case "min": type.min
    case "zero": type.zero
    case "bitWidth": type.bitWidth
    case "isSigned": type.isSigned
    default: nil
    }
  }

  private static func floatingPoint(
    _ name: String, _ type: (some BinaryFloatingPoint).Type
  ) -> Any? {
    switch name {
    case "zero": type.zero
    case "pi": type.pi
    case "infinity": type.infinity
    case "nan": type.nan
    case "signalingNaN": type.signalingNaN
    case "greatestFiniteMagnitude": type.greatestFiniteMagnitude
    case "leastNormalMagnitude": type.leastNormalMagnitude
    case "leastNonzeroMagnitude": type.leastNonzeroMagnitude
    case "ulpOfOne": type.ulpOfOne
    case "radix": type.radix
    default: nil
    }
  }
}
