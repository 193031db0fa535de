// SPDX-License-Identifier: MIT

/// What a transfer would cost, in cents.
struct FeeView: Encodable {
  let amount: Int
  let fee: Int
}
