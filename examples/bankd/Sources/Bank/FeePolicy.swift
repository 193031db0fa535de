// SPDX-License-Identifier: MIT

/// Decides what a transfer costs.
protocol FeePolicy: Sendable {
  /// The fee on a transfer of `amount` cents, in cents.
  func fee(on amount: Int) -> Int
}
