// SPDX-License-Identifier: MIT

/// Why the bank will not do as it is asked.
enum BankError: Error, Equatable {
  case noSuchAccount(Int)
  case invalidOwner
  case invalidAmount(Int)
  case textTooLong(limit: Int)
  case refused(account: Int, amount: Int)
  case sameAccount(Int)
  case full(limit: Int)

  var message: String {
    switch self {
    case .noSuchAccount(let id):
      "there is no account \(id)"
    case .invalidOwner:
      "an owner's name has 1 to 100 characters"
    case .invalidAmount(let amount):
      "an amount is 1 to \(Money.largest) cents, not \(amount)"
    case .textTooLong(let limit):
      "a memo or title has at most \(limit) bytes"
    case .refused(let account, let amount):
      "account \(account) does not allow a withdrawal of \(Money(cents: amount))"
    case .sameAccount(let id):
      "account \(id) is both ends of the transfer"
    case .full(let limit):
      "the bank takes no more than \(limit) accounts"
    }
  }
}
