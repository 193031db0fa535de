// SPDX-License-Identifier: MIT

/// The body of a deposit or a withdrawal.
struct AmountRequest: Decodable {
  /// Cents.
  let amount: Int
  let memo: String?
}
