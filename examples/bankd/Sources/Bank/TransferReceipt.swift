// SPDX-License-Identifier: MIT

/// What came of a transfer.
struct TransferReceipt: Encodable {
  let id: Int
  let from: Int
  let to: Int
  let amount: Int
  let fee: Int
  let fromBalance: Int
  let toBalance: Int
}
