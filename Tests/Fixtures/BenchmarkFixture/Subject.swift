// SPDX-License-Identifier: MIT

/// What Lua code uses in the benchmarks of Lua calling Swift.
public final class Subject {
  /// A stored property.
  public var stored = 7
  private var hidden = 7
  /// A computed one.
  public var computed: Int {
    get { hidden }
    set { hidden = newValue }
  }

  private let shortText = String(repeating: "x", count: 16)
  private let longText = String(repeating: "x", count: 4096)
  private let numbers = Array(1...1000)

  public init() {}

  public func add(_ a: Int, _ b: Int) -> Int { a &+ b }
  public func short() -> String { shortText }
  public func long() -> String { longText }
  public func length(_ text: String) -> Int { text.utf8.count }
  public func list() -> [Int] { numbers }
  public func last(_ list: [Int]) -> Int { list.last ?? 0 }
  public func vector() -> Vector { Vector(x: 1, y: 2, z: 3) }
  public func echo(_ vector: Vector) -> Vector { vector }
  public func make() -> Small { Small() }

  private let small = Small()

  public func own() -> Small { small }
  public func fail() throws { throw Failure() }

  private var kept: (Int) -> Int = { $0 }

  public func adder(_ number: Int) -> (Int) -> Int { { $0 &+ number } }
  public func apply(_ body: (Int) -> Int) -> Int { body(1) }
  public func keep(_ body: @escaping (Int) -> Int) { kept = body }

  /// The sum of what the kept closure makes of a hundred numbers.
  public func callKept() -> Int {
    var sum = 0
    for number in 1...100 { sum &+= kept(number) }
    return sum
  }
}

public struct Vector {
  public var x, y, z: Double
}

public struct Failure: Error {
  var code = 1
}

public final class Small {
  var number = 1
}

/// Has the loops of the benchmarks overridden.
public final class Workload {
  public let subject = Subject()

  public init() {}

  /// Does something so many times, and returns a sum to check.
  public func run(_ count: Int) -> Int { -1 }
}
