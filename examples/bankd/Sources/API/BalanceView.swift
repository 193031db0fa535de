// SPDX-License-Identifier: MIT

/// What a deposit or a withdrawal left.
struct BalanceView: Encodable {
  let account: Int
  /// Cents.
  let balance: Int
  let display: String

  init(account: Int, balance: Int) {
    self.account = account
    self.balance = balance
    display = Money(cents: balance).description
  }
}
