// SPDX-License-Identifier: MIT

// Plain Swift, compiled as users compile what they want to patch. No test calls anything here that
// is not written as a program would write it.

public struct Refusal: Error, Equatable {
  public var code: Int

  public init(code: Int) { self.code = code }
}

public struct Statement: Equatable, Sendable {
  public var opening, deposits, fees, interest, closing: Int

  public init(opening: Int, deposits: Int, fees: Int, interest: Int, closing: Int) {
    self.opening = opening
    self.deposits = deposits
    self.fees = fees
    self.interest = interest
    self.closing = closing
  }
}

public final class Account: @unchecked Sendable {
  private let base: Int

  public init(base: Int) { self.base = base }

  public func sum(_ a: Int, _ b: Int) -> Int { base &+ a &+ b }

  public func difference(_ a: Int, _ b: Int) -> Int { base &+ a &- b }

  public func nine(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
  ) -> [Int] {
    [a, b, c, d, e, f, g, h, i]
  }

  public func ten(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double,
    _ h: Double, _ i: Double, _ j: Double
  ) -> [Double] {
    [a, b, c, d, e, f, g, h, i, j]
  }

  public func mixed(
    _ a: Int8, _ b: Double, _ c: String, _ d: Float, _ e: Bool, _ f: Int32, _ g: String,
    _ h: UInt16
  ) -> String {
    "\(a) \(b) \(c) \(d) \(e) \(f) \(g) \(h)"
  }

  public func greeting(_ name: String) -> String { "hello \(name), \(base)" }

  public func withdraw(_ amount: Int) throws -> Int {
    guard amount <= base else { throw Refusal(code: amount) }
    return base - amount
  }

  public func statement(_ opening: Int) -> Statement {
    Statement(opening: opening, deposits: 2, fees: 3, interest: 4, closing: base)
  }

  public func countdown(_ n: Int) -> Int { n == 0 ? base : countdown(n - 1) }

  public func run(_ body: () -> Void) { body() }

  public var balance: Int { base &* 2 }

  public static func double(_ n: Int) -> Int { n &* 2 }
}
