// SPDX-License-Identifier: MIT

/// A share of the amount, with a minimum.
final class FeeSchedule: FeePolicy {
  /// Hundredths of a per cent.
  let basisPoints: Int
  /// Cents.
  let minimum: Int

  init(basisPoints: Int, minimum: Int) {
    self.basisPoints = basisPoints
    self.minimum = minimum
  }

  /// The bank's price list: 1.5 %, at least 25 cents.
  static func standard() -> FeeSchedule {
    FeeSchedule(basisPoints: 150, minimum: 25)
  }

  /// The fee on `amount` cents, to the nearest cent; half a cent counts as one.
  func fee(on amount: Int) -> Int {
    let exact = Double(amount) * Double(basisPoints) / 10_000
    return max(minimum, Int(exact))
  }
}
