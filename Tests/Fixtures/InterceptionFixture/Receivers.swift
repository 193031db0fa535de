// SPDX-License-Identifier: MIT

// Methods that take their receiver by value and methods that take its address, for receivers and
// parameters of many kinds. Some use nothing of what they are given: it is passed all the same.

public struct Meter: Sendable {
  public var count: Int

  public func read() -> Int { count &+ 1 }
  public mutating func increment() { count &+= 1 }
  public func ignoringSelf() -> Int { 7 }
  public func ignoringAll(_ a: Int, _ b: Double) -> Int { 7 }
  public mutating func mutatingIgnoringAll(_ a: Int, _ b: Double, _ c: String) -> Int { 3 }
  public consuming func consumed(_ a: Int) -> Int { count &- a }

  public func five(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ x: Double, _ y: Double
  ) -> Int { count &+ a }
  public mutating func mutatingFive(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ x: Double, _ y: Double
  ) -> Int {
    count &+= a &+ e
    return count
  }
  public func six(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int) -> Int { count &+ f }
  public mutating func mutatingSix(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int
  ) -> Int {
    count &-= f
    return count
  }

  public func check(_ name: String) throws -> Int {
    if name.isEmpty { throw Refusal(code: count) }
    return count
  }
  public mutating func mutatingCheck(_ name: String) throws -> Int {
    if name.isEmpty { throw Refusal(code: count) }
    count &+= 2
    return count
  }

  public func statement(_ a: Int) -> Statement {
    Statement(opening: a, deposits: a, fees: a, interest: a, closing: count)
  }
  public mutating func mutatingStatement(_ a: Int) -> Statement {
    count &+= a
    return Statement(opening: a, deposits: a, fees: a, interest: a, closing: count)
  }

  public func same<T>(_ value: T) -> T { value }
  public mutating func mutatingSame<T>(_ value: T) -> T {
    count &+= 1
    return value
  }

  public func visit(_ body: (Int) -> Void, _ total: inout Int) {
    body(count)
    total &+= count
  }
  public mutating func mutatingVisit(_ body: (Int) -> Void, _ total: inout Int) {
    body(count)
    count &+= total
  }

  public var half: Int {
    get { count / 2 }
    set { count = newValue &* 2 }
  }
  public subscript(index: Int) -> Int {
    get { count &+ index }
    set { count = newValue &- index }
  }

  public func later(_ a: Int) async -> Int { count &+ a }
  public mutating func mutatingLater(_ a: Int) async -> Int {
    count &+= a
    return count
  }
}

// Functions with the same code: optimised, they share it. The ones with many parameters have no
// register left for what tells them apart.
extension Meter {
  public func twin(_ a: Int) -> Int { count ^ a }
  public func otherTwin(_ a: Int) -> Int { count ^ a }
  public mutating func mutatingTwin(_ a: Int) -> Int {
    count ^= a
    return count
  }
  public mutating func otherMutatingTwin(_ a: Int) -> Int {
    count ^= a
    return count
  }
  public func longTwin(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) -> Int { count | e }
  public func otherLongTwin(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) -> Int { count | e }
  public mutating func mutatingLongTwin(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int
  ) -> Int {
    count |= e
    return count
  }
  public mutating func otherMutatingLongTwin(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int
  ) -> Int {
    count |= e
    return count
  }
}

public struct Reading: Sendable {
  public var count: Int
  public var value: Double

  public func sum(_ a: Int, _ b: Double) -> Double { value + b + Double(a &+ count) }
  public mutating func add(_ a: Int, _ b: Double) -> Double {
    value += b
    return value + Double(a)
  }
}

public struct Gain: Sendable {
  public var factor: Float

  public func scaled(_ a: Int) -> Float { factor * Float(a) }
  public mutating func scale(_ a: Float) { factor *= a }
  public func last(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double
  ) -> Double { Double(factor) + g }
  public mutating func setLast(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double
  ) { factor = Float(g) }
}

public struct Flags: Sendable {
  public var isOn: Bool
  public var level: Int32

  public func level(_ a: Bool, _ b: Int8, _ c: Float) -> Int32 { isOn && a ? level : 0 }
  public mutating func set(_ a: Bool, _ b: Int8, _ c: Float) { isOn = a }
}

public struct Route: Sendable {
  public var a: Int
  public var b: Double
  public var c: Int
  public var d: Double

  public func length(_ x: Int, _ y: Double) -> Double { d + y }
  public mutating func extend(_ x: Int, _ y: Double) -> Double {
    d += y
    return b
  }
}

public struct Colour: Sendable {
  public var channels: SIMD4<Float>

  public func mixed(_ other: SIMD4<Float>) -> SIMD4<Float> { channels + other }
  public mutating func mix(_ other: SIMD4<Float>) { channels += other }
}

public struct Label: Sendable {
  public var text: String

  public func joined(_ other: String) -> String { text + other }
  public mutating func join(_ other: String) { text += other }
}

public struct Serial: Sendable {
  public var number: Int128

  public func plus(_ a: Int) -> Int128 { number &+ Int128(a) }
  public mutating func advance(_ a: Int) { number &+= Int128(a) }
}

public enum Stage: Sendable {
  case first, second, third

  public func weight(_ a: Int) -> Int { self == .first ? a : 0 }
  public mutating func toggle(_ a: Int) { self = self == .first ? .second : .third }
}

extension Payload {
  public func total(_ a: Int) -> Int {
    if case .number(let number) = self { number &+ a } else { a }
  }
  public mutating func replace(_ a: Int) { self = .number(a) }
}

extension FiveWords {
  public mutating func raise(_ n: Int) { e &+= n }
}

public struct Nothing: Sendable {
  public func echo(_ a: Int) -> Int { a }
  public mutating func reset(_ a: Int) { self = Nothing() }
}
