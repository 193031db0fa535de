// SPDX-License-Identifier: MIT

/// The body of a transfer.
struct TransferRequest: Decodable {
  let from: Int
  let to: Int
  /// Cents.
  let amount: Int
}
