// SPDX-License-Identifier: MIT

import Foundation

/// An account that money can be paid into and out of at any time.
///
/// Sendable because every mutable property, in subclasses too, is read and written only with
/// `lock` held; callers take it, so that they can combine several steps into one.
class Account: @unchecked Sendable {
  let id: Int
  let owner: String

  /// What may be taken out at once, in cents.
  let withdrawalLimit: Int

  /// Cents.
  private(set) var balance = 0
  private(set) var nickname: String?
  private(set) var entries: [Entry] = []

  let lock = NSLock()

  /// What hears of tables of its entries.
  let tableDelegate: any StatementTableDelegate = PlainTable()

  init(id: Int, owner: String, nickname: String?, withdrawalLimit: Int) {
    self.id = id
    self.owner = owner
    self.nickname = nickname
    self.withdrawalLimit = withdrawalLimit
  }

  /// An everyday account.
  convenience init(id: Int, owner: String, nickname: String?) {
    self.init(id: id, owner: owner, nickname: nickname, withdrawalLimit: 100_000)
  }

  /// Makes an account of the class that stands for `kind`.
  static func open(_ kind: AccountKind, id: Int, owner: String, nickname: String?) -> Account {
    switch kind {
    case .checking: Account(id: id, owner: owner, nickname: nickname)
    case .savings: SavingsAccount(id: id, owner: owner, nickname: nickname)
    }
  }

  var kind: AccountKind { .checking }

  /// What the owner sees above a statement; an empty one is replaced by the bank's own.
  var title: String {
    get { nickname ?? "\(owner)'s \(kind.rawValue) account" }
    set { nickname = newValue.isEmpty ? nil : newValue }
  }

  /// Puts `amount` cents into the account.
  ///
  /// - Returns: The new balance.
  @discardableResult
  func deposit(_ amount: Int, memo: String) -> Int {
    post(.deposit, amount, memo: memo)
    return balance
  }

  /// Takes `amount` cents out of the account, if that is allowed.
  ///
  /// - Returns: Whether the money was paid out.
  func withdraw(_ amount: Int, memo: String) -> Bool {
    guard amount <= withdrawalLimit else { return false }
    post(.withdrawal, -amount, memo: memo)
    return true
  }

  /// What `days` at the current balance would earn, in cents and fractions of them.
  func interest(overDays days: Int) -> Double { 0 }

  private func post(_ kind: EntryKind, _ amount: Int, memo: String) {
    balance += amount
    entries.append(
      Entry(
        sequence: entries.count + 1, kind: kind, amount: amount, balance: balance, memo: memo))
  }
}

extension Account {
  /// The last `limit` memos, newest first.
  func recentMemos(limit: Int) -> [String] {
    entries.suffix(limit).reversed().map(\.memo)
  }

  /// The most that was taken out at once, in cents; nil if nothing was.
  func largestWithdrawal() -> Int? {
    entries.lazy.filter { $0.kind == .withdrawal }.map { -$0.amount }.max()
  }

  /// What went in and out so far, in cents, by kind of entry.
  func totals() -> [String: Int] {
    entries.reduce(into: [:]) { totals, entry in
      totals[entry.kind.rawValue, default: 0] += entry.amount
    }
  }

  /// The books as of now, with at most `limit` entries, the latest ones.
  func statement(limit: Int) -> Statement {
    Statement(
      account: id, title: title, balance: balance, entryCount: entries.count,
      entries: Array(entries.suffix(limit)), totals: totals(),
      largestWithdrawal: largestWithdrawal(), recentMemos: recentMemos(limit: 3))
  }
}
