// SPDX-License-Identifier: MIT

/// Two Doubles, which travel in vector registers.
public struct Spot: Equatable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public func nearest(_ other: Spot?) -> Spot? { other }
  public func moved(by amount: Double) -> Spot { Spot(x: x + amount, y: y + amount) }
}

/// Functions of mixed arguments.
public final class Mixture {
  public var spot = Spot(x: 1, y: 2)
  public var account: Account?
  public private(set) var log: [String] = []

  public init() {}

  public func three(_ number: Int, _ a: Account, _ b: Mixture, _ c: Account) -> [AnyObject] {
    log.append("\(number)")
    return [a, b, c]
  }

  public func objectFirst(_ account: Account, _ spot: Spot, _ large: Large, _ last: Account)
    -> String
  {
    "\(account.owner) \(spot.x) \(spot.y) \(large.total(0)) \(last.owner)"
  }

  public func distance(_ a: Spot, _ b: Spot) -> Double { (b.x - a.x) + (b.y - a.y) * 10 }

  public func text(_ text: String, _ account: Account, _ number: Int) -> String {
    "\(text) \(account.owner) \(number)"
  }

  public func object(_ text: String, _ account: Account, _ number: Int) -> Account? { account }
  public func number(_ text: String, _ account: Account, _ number: Int) -> Int { number }

  public func risky(_ flag: Bool) throws -> String { "fine" }
}

public func mixtureSum(_ spot: Spot, _ number: Int, _ double: Double) -> Double {
  spot.x + spot.y + Double(number) + double
}

public func mixturePointer(_ pointer: UnsafeRawPointer?) -> UnsafeRawPointer? { pointer }
public func mixtureObject(_ account: Account) -> Account { account }
public func mixtureNothing(_ mixture: Mixture) { mixture.spot.x = -1 }

/// A tuple of a dictionary that goes to Lua live.
public final class TupleOfKeys {
  public init() {}
  public func echo(_ value: (number: Int, marks: [SingleKey: Int])) -> Int {
    value.number + (value.marks[SingleKey(name: "a")] ?? 0)
  }
}

public struct SingleKey: Hashable, Sendable {
  public var name: String
  public init(name: String) { self.name = name }
}
