// SPDX-License-Identifier: MIT

import Synchronization

/// All accounts, and what can be done with them from any thread.
final class Bank: Sendable {
  let fees: any FeePolicy

  /// Innermost lock: nothing is locked while it is held.
  private let books = Mutex(Books())

  private static let accountLimit = 100_000
  private static let textLimit = 200

  init(fees: any FeePolicy) {
    self.fees = fees
  }

  func openAccount(_ kind: AccountKind, owner: String, nickname: String?) throws -> Account {
    guard 1...100 ~= owner.count, owner.contains(where: { !$0.isWhitespace }) else {
      throw BankError.invalidOwner
    }
    try Self.check(text: nickname ?? "")
    let id = try books.withLock { books throws(BankError) in
      guard books.accounts.count < Self.accountLimit else {
        throw .full(limit: Self.accountLimit)
      }
      return books.nextAccountID()
    }
    let account = Account.open(kind, id: id, owner: owner, nickname: nickname)
    books.withLock { $0.accounts[id] = account }
    return account
  }

  /// All accounts, in the order in which they were opened.
  func accounts() -> [Account] {
    books.withLock { $0.accounts.values.sorted { $0.id < $1.id } }
  }

  var accountCount: Int { books.withLock(\.accounts.count) }

  func account(_ id: Int) throws -> Account {
    guard let account = books.withLock({ $0.accounts[id] }) else {
      throw BankError.noSuchAccount(id)
    }
    return account
  }

  func rename(_ id: Int, to title: String) throws -> Account {
    let account = try account(id)
    try Self.check(text: title)
    account.lock.withLock { account.title = title }
    return account
  }

  /// - Returns: The balance after the deposit, in cents.
  func deposit(_ amount: Int, into id: Int, memo: String) throws -> Int {
    let account = try account(id)
    try Self.check(amount)
    try Self.check(text: memo)
    account.lock.lock()
    defer { account.lock.unlock() }
    return account.deposit(amount, memo: memo)
  }

  /// - Returns: The balance after the withdrawal, in cents.
  func withdraw(_ amount: Int, from id: Int, memo: String) throws -> Int {
    let account = try account(id)
    try Self.check(amount)
    try Self.check(text: memo)
    account.lock.lock()
    defer { account.lock.unlock() }
    guard account.withdraw(amount, memo: memo) else {
      throw BankError.refused(account: id, amount: amount)
    }
    return account.balance
  }
}

extension Bank {
  /// - Throws: `BankError.invalidAmount` for what no one can pay.
  static func check(_ amount: Int) throws(BankError) {
    guard 1...Money.largest ~= amount else { throw .invalidAmount(amount) }
  }

  private static func check(text: String) throws(BankError) {
    guard text.utf8.count <= textLimit else { throw .textTooLong(limit: textLimit) }
  }

  func nextTransferID() -> Int {
    books.withLock { $0.nextTransferID() }
  }
}
