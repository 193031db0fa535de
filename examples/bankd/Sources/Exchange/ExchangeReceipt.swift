// SPDX-License-Identifier: MIT

/// What came of an exchange.
struct ExchangeReceipt: Encodable {
  /// The number of the ledger's entry.
  let entry: Int
  let account: Int
  /// Euro cents; what left the account.
  let amount: Int
  let balance: Int
  let currency: Currency
  /// Hundredths of the currency's unit; what the owner gets.
  let paid: Int
}
