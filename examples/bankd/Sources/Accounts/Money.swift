// SPDX-License-Identifier: MIT

/// An amount of money, exact to the cent.
struct Money: Comparable, CustomStringConvertible {
  var cents: Int

  static let zero = Money(cents: 0)

  /// No single amount is larger than this: ten thousand million, in cents.
  static let largestAmount = 1_000_000_000_000

  /// The amount as people write it: `-1234.05`.
  var description: String {
    let (units, fraction) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = cents < 0 ? "-" : ""
    return "\(sign)\(units).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  var isNegative: Bool { cents < 0 }

  mutating func add(_ other: Money) {
    cents += other.cents
  }

  static func + (left: Money, right: Money) -> Money {
    Money(cents: left.cents + right.cents)
  }

  static func < (left: Money, right: Money) -> Bool {
    left.cents < right.cents
  }
}
