// SPDX-License-Identifier: MIT

/// No payload.
enum Direction: CaseIterable {
  case north, east, south, west

  func turned(_ times: Int = 1) -> Direction {
    let all = Direction.allCases
    return all[(all.firstIndex(of: self)! + times) % all.count]
  }
  mutating func turn() { self = turned() }
  var isVertical: Bool { self == .north || self == .south }
  static func opposite(of direction: Direction) -> Direction { direction.turned(2) }
  init(degrees: Int) { self = Direction.north.turned(degrees / 90) }
}

/// Payloads of several sizes.
enum Payment {
  case cash(Int)
  case card(number: String, limit: Double)
  case account(Purse)
  case many([Payment])
  case none

  func total() -> Double {
    switch self {
    case .cash(let cents): Double(cents)
    case .card(_, let limit): limit
    case .account(let purse): Double(purse.total())
    case .many(let all): all.reduce(0) { $0 + $1.total() }
    case .none: 0
    }
  }
  func doubled() -> Payment {
    switch self {
    case .cash(let cents): .cash(cents * 2)
    case .card(let number, let limit): .card(number: number, limit: limit * 2)
    case .account, .none: self
    case .many(let all): .many(all + all)
    }
  }
  mutating func absorb(_ other: Payment) { self = .many([self, other]) }
  var cash: Int? {
    if case .cash(let cents) = self { cents } else { nil }
  }
  static func from(_ text: String) -> Payment? { Int(text).map { .cash($0) } }
}

/// A raw value and one payload-free case.
enum Level: UInt8, Comparable {
  case low = 1
  case high = 200

  static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  func raised(by amount: UInt8) -> Level? { Level(rawValue: rawValue &+ amount) }
}

/// One case only: no storage.
enum Single {
  case only
  func number() -> Int { 1 }
  func same() -> Single { self }
}

/// Generic, with one payload.
enum Maybe<Wrapped> {
  case some(Wrapped)
  case missing

  func unwrapped(or other: Wrapped) -> Wrapped {
    if case .some(let value) = self { value } else { other }
  }
  func mapped<T>(_ body: (Wrapped) -> T) -> Maybe<T> {
    if case .some(let value) = self { .some(body(value)) } else { .missing }
  }
  mutating func drop() -> Wrapped? {
    defer { self = .missing }
    if case .some(let value) = self { return value }
    return nil
  }
  var isMissing: Bool {
    if case .missing = self { true } else { false }
  }
}

private func flipped(_ direction: Direction?) -> Direction? { direction.map(Direction.opposite) }

func runEnums(_ say: Say) {
  var direction = Direction(degrees: 180)
  direction.turn()
  say("direction \(direction) \(direction.turned(3)) \(direction.isVertical)")
  say(
    "hashed \(Set([direction, .west, .south]).count) \(Set([Single.only]).count) \([Single.only].contains(.only))"
  )
  say("flipped \(String(describing: flipped(.east))) \(flipped(nil) == nil)")

  var payment = Payment.cash(5)
  payment.absorb(.card(number: "4711", limit: 1.5))
  payment.absorb(.account(Purse(cents: 50)))
  payment.absorb(.none)
  say("payment \(payment.total()) \(payment.doubled().total()) \(payment.cash ?? -1)")
  say("card \(Payment.card(number: "1", limit: 2).doubled()) \(Payment.cash(4).cash ?? -1)")
  say("from \(String(describing: Payment.from("12"))) \(Payment.from("x") == nil)")

  say("level \(Level.low < .high) \(String(describing: Level.low.raised(by: 199)))")
  say("level \(Level.high.raised(by: 1) == nil) \(Single.only.same().number())")

  var maybe = Maybe.some("a")
  say("maybe \(maybe.unwrapped(or: "b")) \(maybe.mapped { $0.count * 7 }) \(maybe.isMissing)")
  say("drop \(maybe.drop() ?? "nil") \(maybe.drop() ?? "nil") \(maybe.isMissing)")
  say("number \(Maybe<Int>.missing.unwrapped(or: 3)) \(Maybe.some(2.5).mapped { $0 > 1 })")
}
