// SPDX-License-Identifier: MIT

// Functions of a module that is optimised and has no implicit dynamic, as most dependencies are. They have names of C's
// for the tests to find their code by.

public struct Overdrawn: Error, Equatable {
  public var amount: Int

  public init(amount: Int) { self.amount = amount }
}

@_silgen_name("optimized_sum")
@inline(never)
public func sum(_ one: Int, _ other: Int) -> Int { one &+ other }

@_silgen_name("optimized_text")
@inline(never)
public func text(_ count: Int, _ word: String, _ factor: Double) -> String {
  "\(count) \(word) \(factor * 2)"
}

@_silgen_name("optimized_many")
@inline(never)
public func many(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int
) -> Int {
  var sum = a &+ b &* 2 &+ c &* 3 &+ d &* 4
  sum = sum &+ e &* 5 &+ f &* 6
  return sum &+ g &* 7 &+ h &* 8
}

public final class Purse {
  public var balance: Int

  public init(balance: Int) { self.balance = balance }

  @_silgen_name("optimized_take")
  @inline(never)
  public func take(_ amount: Int) throws -> Int {
    if amount > balance { throw Overdrawn(amount: amount) }
    balance -= amount
    return balance
  }
}

public actor Vault {
  private var asked = 0

  public init() {}

  func price(_ sku: Int) -> Int {
    asked += 1
    return sku * 10
  }
}

/// Awaits another actor, and is called directly.
@_silgen_name("optimized_fetch")
@inline(never)
public func fetch(_ vault: Vault, _ sku: Int, _ count: Int) async throws -> Int {
  if sku < 0 { throw Overdrawn(amount: sku) }
  return await vault.price(sku) &+ count
}

/// The same by its value.
public let fetching: @Sendable (Vault, Int, Int) async throws -> Int = fetch
