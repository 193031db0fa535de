// SPDX-License-Identifier: MIT

/// A type with operators of its own.
public struct Vector: Equatable, Sendable {
  public var x: Double
  public var y: Double

  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  public static func + (left: Vector, right: Vector) -> Vector {
    Vector(left.x + right.x, left.y + right.y)
  }
  public static func - (left: Vector, right: Vector) -> Vector {
    Vector(left.x - right.x, left.y - right.y)
  }
  public static func * (left: Vector, right: Double) -> Vector {
    Vector(left.x * right, left.y * right)
  }
  public static func * (left: Double, right: Vector) -> Vector { right * left }
  public static func * (left: Vector, right: Vector) -> Double {
    left.x * right.x + left.y * right.y
  }
  public static prefix func - (vector: Vector) -> Vector { Vector(-vector.x, -vector.y) }
  public static func / (left: Vector, right: Double) throws -> Vector {
    if right == 0 { throw BankError.closed }
    return Vector(left.x / right, left.y / right)
  }
}

extension Vector {
  public static func % (left: Vector, right: Vector) -> Bool { left.x == right.x }
}

/// Equal by what it means, compared by a function of its own.
public struct Size: Comparable, Sendable {
  public var width: Int
  public var height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  public static func < (left: Size, right: Size) -> Bool { left.area < right.area }
  public static func == (left: Size, right: Size) -> Bool { left.area == right.area }
  public var area: Int { width * height }
}

public struct Flags: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Neither equatable nor comparable.
public struct Opaque {
  public var value = 1
  public init() {}
}

/// A class with operators: what is passed besides the operands is the class itself.
public class Money {
  public let cents: Int
  public init(cents: Int) { self.cents = cents }
  public static func + (left: Money, right: Money) -> Money {
    Money(cents: left.cents + right.cents)
  }
  public static func + (left: Money, right: Int) -> Money { Money(cents: left.cents + right) }
  public static func < (left: Money, right: Money) -> Bool { left.cents < right.cents }
}

public final class Coin: Money {}

extension Desk {
  public func vector(_ x: Double, _ y: Double) -> Vector { Vector(x, y) }
  public func area(_ width: Int, _ height: Int) -> Size { Size(width, height) }
  public func money(_ cents: Int) -> Money { Money(cents: cents) }
  public func coin(_ cents: Int) -> Coin { Coin(cents: cents) }
  public func opaque() -> Opaque { Opaque() }
  public func grid() -> Grid { Grid() }
  public func shelf() -> Shelf { Shelf() }
}

/// A value with subscripts.
public struct Grid: Sendable {
  public var cells = [0, 1, 2, 3, 4, 5]
  public init() {}

  public subscript(row: Int, column: Int) -> Int {
    get { cells[row * 3 + column] }
    set { cells[row * 3 + column] = newValue }
  }
  public subscript(flat index: Int) -> Int {
    get { cells[index] }
    set { cells[index] = newValue }
  }
  public subscript(index: Int) -> Int { cells[index] }
  public var count: Int { cells.count }
}

/// An object with subscripts.
public final class Shelf {
  public var books: [String: String] = ["a": "Alpha"]
  public var title = "shelf"
  public var log: [String] = []
  public init() {}

  public subscript(key: String) -> String? {
    get { books[key] }
    set { books[key] = newValue }
  }
  public subscript(number: Int) -> String {
    get { "number \(number)" }
    set { log.append("\(number) = \(newValue)") }
  }
  public subscript(key: String, default value: String = "none") -> String {
    books[key] ?? value
  }
  public static subscript(number: Int) -> Int {
    get { number * 2 }
    set { last = newValue + number }
  }
  public nonisolated(unsafe) static var last = 0
}
