// SPDX-License-Identifier: MIT

/// One movement of money, whatever accounts it is about.
struct LedgerEntry: Encodable {
  /// Counts from 1.
  let number: Int
  let kind: Kind
  /// The account that paid.
  let account: Int
  /// Cents; without fees.
  let amount: Int
  let note: String
}

extension LedgerEntry {
  /// What kind of movement it was.
  enum Kind: String, Encodable {
    case transfer
    case exchange
  }
}
