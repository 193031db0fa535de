// SPDX-License-Identifier: MIT

/// Numbers as sentences have them.
enum Decimals {
  /// A number without decimals, however large.
  static func whole(_ value: Double) -> String { "\(UInt64(clamping: Int(clamped(value))))" }

  /// A share in percent, with two decimals.
  static func percent(_ share: Double) -> String { "\(hundredths(share * 100)) %" }

  /// Microseconds in milliseconds, with two decimals.
  static func milliseconds(_ microseconds: Double) -> String {
    "\(hundredths(microseconds / 1000)) ms"
  }

  private static func hundredths(_ value: Double) -> String {
    let number = Int(clamped(value * 100).rounded())
    let rest = number % 100
    return rest == 0 ? "\(number / 100)" : "\(number / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func clamped(_ value: Double) -> Double {
    value.isNaN ? 0 : min(max(value, 0), 1e15)
  }
}
