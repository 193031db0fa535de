// SPDX-License-Identifier: MIT

extension Bank {
  /// Moves `amount` cents; the source pays the fee on top. Either both accounts change or none.
  func transfer(_ amount: Int, from sourceID: Int, to targetID: Int) throws -> TransferReceipt {
    let source = try account(sourceID)
    let target = try account(targetID)
    try Self.check(amount)
    let transfer = try Transfer(
      source: sourceID, target: targetID, amount: amount, fee: fees.fee(on: amount))

    // In the order of identifiers, so that two transfers in opposite directions cannot deadlock.
    let (first, second) = source.id < target.id ? (source, target) : (target, source)
    first.lock.lock()
    defer { first.lock.unlock() }
    second.lock.lock()
    defer { second.lock.unlock() }
    return try execute(transfer, from: source, to: target)
  }

  /// - Precondition: The locks of both accounts are held.
  private func execute(_ transfer: Transfer, from source: Account, to target: Account)
    throws(BankError) -> TransferReceipt
  {
    guard source.withdraw(transfer.total, memo: transfer.memo(for: .outgoing)) else {
      throw .refused(account: source.id, amount: transfer.total)
    }
    let targetBalance = target.deposit(transfer.amount, memo: transfer.memo(for: .incoming))
    return TransferReceipt(
      id: nextTransferID(), from: source.id, to: target.id, amount: transfer.amount,
      fee: transfer.fee, fromBalance: source.balance, toBalance: targetBalance)
  }
}
