// SPDX-License-Identifier: MIT

// A module that is built for library evolution: its public types travel by address, but for those that are frozen.

public final class Cell {
  public var number: Int
  public init(_ number: Int) { self.number = number }
}

public struct Money {
  public var cents: Int
  public init(cents: Int) { self.cents = cents }
  public var doubled: Money { Money(cents: cents * 2) }
  public mutating func add(_ other: Money) -> Int {
    cents += other.cents
    return cents
  }
  func inner(_ other: Money) -> Money { Money(cents: cents + other.cents) }
  @usableFromInline func hidden(_ other: Money) -> Money { inner(other) }
  public func total(_ other: Money) -> Int { hidden(other).cents }
  public subscript(factor: Int) -> Money {
    get { Money(cents: cents * factor) }
    set { cents = newValue.cents / factor }
  }
}

public struct Note {
  let text: String
  let count: Int
  public func length() -> Int { text.count + count }
  public func longer(than other: Note) -> Bool { length() > other.length() }
}

public struct Nothing {
  public init() {}
  public func number() -> Int { 4 }
}

@frozen public struct Point {
  public var x: Double
  public var name: String
  public init(x: Double, name: String) {
    self.x = x
    self.name = name
  }
  public func moved(_ other: Point) -> Point { Point(x: x + other.x, name: name + other.name) }
}

@frozen public struct Step {
  public var size: Int
  public init(size: Int) { self.size = size }
  public func plus(_ money: Money) -> Step { Step(size: size + money.cents) }
}

public enum Choice {
  case one
  case two(Int)
  case three(String)
  public func value() -> Int {
    switch self {
    case .one: 1
    case .two(let number): number
    case .three(let text): text.count
    }
  }
}

@frozen public enum Side {
  case left
  case right(String)
  public func value() -> Int {
    switch self {
    case .left: 1
    case .right(let text): text.count
    }
  }
}

/// Nothing tells whether it is frozen.
public struct Tagged<Tag> {
  let count: Int
  let text: String
  public func sum(_ other: Tagged) -> Int { count + other.count }
}

public func tagged(_ count: Int) -> Tagged<Int> { Tagged(count: count, text: "a tag") }

public enum Refusal: Error { case tooMuch(Money) }

struct Pocket {
  var money: Money
  var count = 1
  func with(_ other: Money) -> Pocket { Pocket(money: other, count: count + 1) }
}

public final class Till {
  public init() {}
  public var money = Money(cents: 5)
  public static var shared = Money(cents: 7)

  public func add(_ one: Money, to other: Money) -> Money { Money(cents: one.cents + other.cents) }
  public func note(_ text: String) -> Note { Note(text: text, count: 1) }
  public func maybe(_ money: Money?, _ nothing: Nothing?) -> Money? { nothing == nil ? nil : money }
  public func all(_ money: [Money], _ point: [Point]) -> [Money] {
    money + point.map { Money(cents: Int($0.x)) }
  }
  public func pair(_ pair: (Money, Point)) -> (Int, Point, Money) { (pair.0.cents, pair.1, pair.0) }
  public func call(_ body: (Money, Choice) -> Choice) -> Choice { body(money, .two(3)) }
  public func body() -> (Money, Point) -> (Money, Side) { { ($0, .right($1.name)) } }
  public func change(_ money: inout Money, _ choice: inout Choice, _ taken: consuming Note) -> Int {
    money.cents += 1
    choice = .three("changed")
    return taken.length()
  }
  public func refuse(_ money: Money) throws(Refusal) -> Int {
    if money.cents > 3 { throw .tooMuch(money) }
    return money.cents
  }
  public func later(_ choice: Choice, _ side: Side) async -> (Choice, Side) { (choice, side) }
  public func same<Value>(_ value: Value, _ money: Money) -> (Value, Money) { (value, money) }
  public func pocketed(_ money: Money) -> Int {
    let pocket = Pocket(money: money).with(money.doubled)
    return pocket.money.cents + pocket.count
  }
}
