// SPDX-License-Identifier: MIT

/// An amount of money, exact to the cent.
struct Money: CustomStringConvertible {
  let cents: Int

  /// No single amount is larger than this: ten thousand million, in cents.
  static let largest = 1_000_000_000_000

  /// The amount as people write it: `-1234.05`.
  var description: String {
    let (units, fraction) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = cents < 0 ? "-" : ""
    return "\(sign)\(units).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
