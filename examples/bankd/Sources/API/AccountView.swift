// SPDX-License-Identifier: MIT

/// An account as clients see it.
struct AccountView: Encodable {
  let id: Int
  let number: String
  let owner: String
  let title: String
  let kind: AccountKind
  /// Cents.
  let balance: Int
  let display: String
  /// What 30 days at this balance earn, in cents; nil for an account without interest.
  let monthlyInterest: Int?

  init(_ account: Account) {
    account.lock.lock()
    defer { account.lock.unlock() }
    id = account.id
    number = accountNumber(for: account.id)
    owner = account.owner
    title = account.title
    kind = account.kind
    balance = account.balance
    display = Money(cents: account.balance).description
    let interest = account.interest(overDays: 30)
    monthlyInterest = account.kind == .savings ? Int(interest.rounded(.down)) : nil
  }
}
