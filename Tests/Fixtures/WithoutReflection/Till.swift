// SPDX-License-Identifier: MIT

// Compiled in two modules: without reflection metadata, so that nothing tells at run time what these types are made of,
// and without names in it.

public struct Money: Equatable {
  public var cents: Int
  public init(cents: Int) { self.cents = cents }
  public func doubled() -> Money { Money(cents: 2 * cents) }
  public mutating func add(_ other: Money) { cents += other.cents }
}

/// In registers of both kinds.
public struct Rate: Equatable {
  public var factor: Float
  public var scale: Double
  public var kind: Int8
  public init(factor: Float, scale: Double, kind: Int8) {
    (self.factor, self.scale, self.kind) = (factor, scale, kind)
  }
  public func applied(to number: Double) -> Double { number * Double(factor) * scale }
}

/// Too large for registers.
public struct Line: Equatable {
  public var numbers = (1, 2, 3, 4)
  public var text: String
  public init(text: String) { self.text = text }
  public func described(_ number: Int) -> String { "\(numbers.0 + number) \(text)" }
  public mutating func append(_ more: String) { text += more }
  public static func == (left: Line, right: Line) -> Bool { left.text == right.text }
}

public struct Wrapped {
  public var content: Any
  public init(content: Any) { self.content = content }
}

public enum Kind: Equatable {
  case small(Int)
  case large(String)
  case none
  public func named() -> String { "\(self == .none)" }
}

public enum Size { case small, large }

public struct Pair<T> {
  public var first: T
  public var number: Int
  public init(first: T, number: Int) { (self.first, self.number) = (first, number) }
  public func text(_ other: T) -> String { "\(first) \(other) \(number)" }
}

public class Till {
  public var number = 5
  public var money = Money(cents: 4)
  public init() {}
  public func plain(_ x: Int) -> Int { x + number }
  public func cents(_ money: Money) -> Int { money.cents }
  public func money(_ money: Money, _ rate: Rate) -> Money { Money(cents: money.cents + 1) }
  public func rate(_ rate: Rate) -> Rate { rate }
  public func line(_ line: Line, _ money: Money) -> Line { line }
  public func wrapped(_ wrapped: Wrapped) -> Wrapped { wrapped }
  public func kind(_ kind: Kind) -> Kind { kind }
  public func size(_ size: Size) -> Size { size }
  public func maybe(_ money: Money?) -> Money? { money }
  public func all(_ money: [Money]) -> [Money] { money.reversed() }
  public func change(_ money: inout Money) { money.cents += 1 }
  public func later(_ money: Money, _ line: Line) async -> Line { line }
  public func mapped(_ body: (Money) -> Money) -> Money { body(money) }
}

/// Calls all of it, and says what came of each call.
public func runTill() async -> [String] {
  let till = Till()
  var money = Money(cents: 7)
  var line = Line(text: "text")
  let rate = Rate(factor: 2, scale: 3, kind: 4)
  money.add(money.doubled())
  till.change(&money)
  line.append("more")
  let isSame =
    till.rate(rate) == rate && till.line(line, money) == line && till.maybe(money) == money
    && till.maybe(nil) == nil
  let isLaterSame = await till.later(money, line) == line
  let areKindsSame = till.kind(.large("l")) == .large("l") && till.kind(.none) == .none
  let areSizesSame = till.size(.large) == .large && till.size(.small) == .small
  return [
    "\(till.plain(1)) \(till.cents(money)) \(till.money(money, rate).cents)",
    "\(isSame) \(isLaterSame) \(areKindsSame) \(areSizesSame)",
    "\(rate.applied(to: 2)) \(line.described(4))",
    "\(till.wrapped(Wrapped(content: "any")).content as? String ?? "")",
    "\(till.all([money, Money(cents: 1)]).map { $0.cents }) \(till.mapped { $0.doubled() }.cents)",
    "\(Kind.none.named()) \(Pair(first: "a", number: 2).text("b"))",
  ]
}
