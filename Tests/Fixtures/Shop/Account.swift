// SPDX-License-Identifier: MIT

/// What the errors of the module are.
public enum ShopError: Error, Equatable {
  case insufficient(Int)
  case closed
  case unreachable(String)
}

/// A class with everything that patches hook: methods that throw, properties with observers, static
/// members, a subclass.
open class Account {
  public let number: Int
  public var owner: String
  public var balance = 0 {
    didSet { history.append(balance) }
  }
  public private(set) var history: [Int] = []
  nonisolated(unsafe) public static var fee = 1

  public init(number: Int, owner: String) {
    self.number = number
    self.owner = owner
  }

  @discardableResult
  open func deposit(_ amount: Int) -> Int {
    balance += amount
    return balance
  }

  open func withdraw(_ amount: Int) throws -> Int {
    guard amount <= balance else { throw ShopError.insufficient(amount - balance) }
    balance -= amount
    return balance
  }

  open func title() -> String { "\(owner)'s account" }
  open func nickname() -> String? { nil }
  open func entry(at index: Int) -> Int { history[index] }
  open class func bank() -> String { "Shop" }

  /// Calls `deposit` as compiled code does.
  public func depositTwice(_ amount: Int) -> Int {
    deposit(amount)
    return deposit(amount)
  }
}

open class SavingsAccount: Account {
  public var rate = 2

  open override func title() -> String { "savings of \(owner)" }

  open func addInterest() -> Int { deposit(balance * rate / 100) }
}

/// A subclass that overrides nothing.
public final class PremiumAccount: SavingsAccount {}
