// SPDX-License-Identifier: MIT

/// Money on its way from one account to another.
struct Transfer {
  let source: Int
  let target: Int
  /// Cents; what arrives.
  let amount: Int
  /// Cents; what the source pays on top.
  let fee: Int

  init(source: Int, target: Int, amount: Int, fee: Int) throws(BankError) {
    guard source != target else { throw .sameAccount(source) }
    self.source = source
    self.target = target
    self.amount = amount
    self.fee = fee
  }

  /// What leaves the source, in cents.
  var total: Int { amount + fee }

  func memo(for direction: Direction) -> String {
    switch direction {
    case .outgoing: "transfer to \(target), fee \(Money(cents: fee))"
    case .incoming: "transfer from \(source)"
    }
  }
}

extension Transfer {
  /// The side of a transfer that a memo is written for.
  enum Direction {
    case outgoing
    case incoming
  }
}
