// SPDX-License-Identifier: MIT

/// The record of all transfers and exchanges, in the order in which they were made.
actor Ledger {
  private let bank: Bank
  private let rates: RateService
  private var entries: [LedgerEntry] = []
  private(set) var count = 0

  /// How many entries are kept, the latest ones.
  private static let limit = 1000

  init(bank: Bank, rates: RateService) {
    self.bank = bank
    self.rates = rates
  }

  /// The last `limit` entries, newest last.
  func latest(_ limit: Int) -> [LedgerEntry] { entries.suffix(limit) }

  /// Makes a transfer and puts it on record.
  func transfer(_ amount: Int, from source: Int, to target: Int) throws -> TransferReceipt {
    let receipt = try bank.transfer(amount, from: source, to: target)
    record(.transfer, account: source, amount: amount, note: "to \(target)")
    return receipt
  }

  /// Pays `amount` cents out of an account, in another currency.
  func exchange(_ amount: Int, from account: Int, into currency: Currency) async throws
    -> ExchangeReceipt
  {
    try Bank.check(amount)
    _ = try bank.account(account)
    // Others use the ledger meanwhile: nothing has been changed yet.
    let quote = try await rates.quote(currency)
    let paid = quote.converted(amount)
    let note = "\(currency.rawValue) \(Money(cents: paid))"
    let balance = try bank.withdraw(amount, from: account, memo: note)
    let entry = record(.exchange, account: account, amount: amount, note: note)
    return ExchangeReceipt(
      entry: entry, account: account, amount: amount, balance: balance, currency: currency,
      paid: paid)
  }

  /// - Returns: The entry's number.
  @discardableResult
  private func record(_ kind: LedgerEntry.Kind, account: Int, amount: Int, note: String) -> Int {
    count += 1
    entries.append(
      LedgerEntry(number: count, kind: kind, account: account, amount: amount, note: note))
    if entries.count > Self.limit { entries.removeFirst() }
    return count
  }
}
