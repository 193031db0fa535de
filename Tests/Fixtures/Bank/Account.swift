// SPDX-License-Identifier: MIT

import Synchronization

public enum BankError: Error, Equatable {
  case insufficient(Int)
  case closed
}

/// How many objects of a kind are alive.
public final class Census: Sendable {
  public static let accounts = Census()
  private let count = Atomic<Int>(0)
  public var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  func born() { count.add(1, ordering: .sequentiallyConsistent) }
  func died() { count.subtract(1, ordering: .sequentiallyConsistent) }
}

open class Account {
  public let id: Int
  public var owner: String
  public var balance: Int = 0
  public var tags: [String] = []
  public var parent: Account?
  public weak var friend: Account?
  public var observed: Int = 0 {
    didSet { observations.append("\(oldValue)->\(observed)") }
  }
  public private(set) var observations: [String] = []
  public lazy var note: String = "note of \(owner)"

  public init(id: Int, owner: String) {
    self.id = id
    self.owner = owner
    Census.accounts.born()
  }

  public convenience init(owner: String) {
    self.init(id: 1, owner: owner)
  }

  public init?(checked id: Int) {
    if id < 0 { return nil }
    self.id = id
    owner = "checked"
    Census.accounts.born()
  }

  public init(throwing id: Int) throws {
    if id < 0 { throw BankError.insufficient(id) }
    self.id = id
    owner = "thrown"
    Census.accounts.born()
  }

  deinit { Census.accounts.died() }

  open func deposit(_ amount: Int, memo: String) -> Int {
    balance += amount
    tags.append(memo)
    return balance
  }

  open func withdraw(_ amount: Int) throws -> Int {
    if amount > balance { throw BankError.insufficient(amount) }
    balance -= amount
    return balance
  }

  public func transfer(_ amount: Int, to other: Account) throws {
    _ = try withdraw(amount)
    _ = other.deposit(amount, memo: "transfer")
  }

  public func rename(_ owner: String) { self.owner = owner }
  public func rename(to owner: String) { self.owner = "to " + owner }
  public func add(_ value: Int) -> String { "Int \(value)" }
  public func add(_ value: String) -> String { "String \(value)" }

  public var title: String {
    get { "Account of \(owner)" }
    set { owner = newValue }
  }

  public subscript(index: Int) -> String {
    get { tags[index] }
    set { tags[index] = newValue }
  }

  public var linked: [String: Account] = [:]
  public subscript(key: String, via: Account) -> Account? {
    get { linked[key] ?? via }
    set { linked[key] = newValue }
  }

  open func describe() -> String { "account" }
  public func callsDescribe() -> String { "<" + describe() + ">" }
  public func inheritedOnly(_ n: Int) -> Int { n + 1 }
  public func identity() -> Account { self }
  public func factorial(_ n: Int) -> Int { n <= 1 ? 1 : n * factorial(n - 1) }

  open class func make(owner: String) -> Account { Account(owner: owner) }
  public static func make(id: Int) -> Account { Account(id: id, owner: "static") }
  private func secret(_ n: Int) -> Int { n * 3 }
  public func usesSecret(_ n: Int) -> Int { secret(n) }
}

public final class Savings: Account {
  public var rate = 0.5

  override public init(id: Int, owner: String) {
    super.init(id: id, owner: "saver " + owner)
  }

  override public func describe() -> String { "savings+" + super.describe() }
  override public func deposit(_ amount: Int, memo: String) -> Int {
    super.deposit(amount * 2, memo: memo)
  }
}

public final class Checking: Account {
  override public func describe() -> String { "checking+" + super.describe() }
}

public func fee(_ amount: Int) -> Int { amount / 100 }
public func surcharge(_ amount: Double, rate: Double) -> Double { amount * rate }

private final class Hidden {
  let value: Int
  init(value: Int) { self.value = value }
  func look(_ by: Int) -> Int { value + by }
}

public func lookAtHidden(_ by: Int) -> Int { Hidden(value: 10).look(by) }

public struct Holder {
  /// Calls through whatever the protocol finds.
  public static func label(_ labelled: any Labelled) -> String { labelled.label() }
}

public protocol Labelled {
  func label() -> String
}

extension Account: Labelled {
  public func label() -> String { "label" }
}

/// Calls a method of its own when it dies.
public final class Dying: @unchecked Sendable {
  public static let heard = Mutex<Int>(0)
  public init() {}
  deinit {
    let count = lastWords().count  // which may let others die
    Self.heard.withLock { $0 += count }
  }
  public func lastWords() -> String { "bye" }
  public func touch() -> Int { 0 }
}
