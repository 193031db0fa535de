// SPDX-License-Identifier: MIT

/// An account that earns interest and allows only a few withdrawals.
final class SavingsAccount: Account, @unchecked Sendable {
  /// Per year: 0.02 is two per cent.
  let interestRate: Double

  private(set) var withdrawalsLeft = 6

  init(id: Int, owner: String, nickname: String?) {
    interestRate = 0.02
    super.init(id: id, owner: owner, nickname: nickname, withdrawalLimit: 500_000)
  }

  override var kind: AccountKind { .savings }

  override func withdraw(_ amount: Int, memo: String) -> Bool {
    guard withdrawalsLeft > 0, super.withdraw(amount, memo: memo) else { return false }
    withdrawalsLeft -= 1
    return true
  }

  override func interest(overDays days: Int) -> Double {
    guard balance > 0 else { return 0 }
    return Double(balance) * interestRate * Double(days) / 365
  }
}
