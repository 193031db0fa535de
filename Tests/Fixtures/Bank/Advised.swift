// SPDX-License-Identifier: MIT

import Synchronization

/// Where tests of advice note what happens, a letter an event.
public final class Trace: Sendable {
  public static let shared = Trace()
  private let events = Mutex("")
  public func note(_ event: String) { events.withLock { $0 += event } }
  /// What was noted since the last time.
  public func take() -> String {
    events.withLock { events in
      defer { events = "" }
      return events
    }
  }
}

/// A function that patches note with.
public func note(_ event: String) { Trace.shared.note(event) }

public enum MachineError: Error, Equatable {
  case jam(Int)
  case cancelled
}

public struct Reading: Equatable {
  public var name: String
  public var level: Double
  public var parts: [Int]
  public init(name: String, level: Double, parts: [Int]) {
    self.name = name
    self.level = level
    self.parts = parts
  }
}

/// Every kind of function that advice may be given to.
open class Machine {
  public static let census = Census()
  public let number: Int
  public var label: String

  public init(number: Int, label: String = "m") {
    self.number = number
    self.label = label
    Self.census.born()
    Trace.shared.note("i")
  }

  public init?(positive number: Int) {
    if number <= 0 { return nil }
    self.number = number
    label = "positive"
    Self.census.born()
  }

  public init(checked number: Int) throws {
    if number < 0 { throw MachineError.jam(number) }
    self.number = number
    label = "checked"
    Self.census.born()
  }

  deinit { Self.census.died() }

  open func step() { Trace.shared.note("|") }
  open func run(_ n: Int) -> Int {
    Trace.shared.note("r")
    return n + 1
  }
  public func half(_ value: Double) -> Double { value / 2 }
  public func wide(_ value: Int64) -> Int64 { value }
  public func recurse(_ n: Int) -> Int { n <= 1 ? 1 : n * recurse(n - 1) }
  public func attempt(_ n: Int) throws -> String {
    Trace.shared.note("a")
    if n < 0 { throw MachineError.jam(n) }
    return "done \(n)"
  }
  public func limited(_ n: Int) throws(MachineError) -> Int {
    if n < 0 { throw .jam(n) }
    return n
  }
  public func reading(_ name: String) -> Reading { Reading(name: name, level: 0.5, parts: [1, 2]) }
  public func bounds(_ n: Int) -> (low: Int, high: Int) { (n - 1, n + 1) }
  public func triple(_ n: Int) -> (Int, String?, [Int]) { (n, nil, [n]) }
  public func adjust(_ value: inout Int, _ by: Int) { value += by }
  public func adjusting(_ value: inout Int, text: inout String) -> Bool {
    value += 1
    text += "!"
    return value > 1
  }
  public func splitting(_ value: inout Int) -> (half: Int, rest: Int) {
    defer { value = 0 }
    return (value / 2, value % 2)
  }
  public func consume(_ other: consuming Machine) -> Int { other.number }
  public func visit(_ body: (Int) -> Int) -> Int { body(number) }
  public func pick<T>(_ first: T, _ second: T) -> T { first }
  public func paired<T>(_ value: T) -> (T, Int) { (value, number) }
  public func sum(_ values: Int...) -> Int { values.reduce(0, +) }
  public func outer(_ n: Int) -> Int { middle(n) + 1 }
  public func middle(_ n: Int) -> Int { inner(n) + 10 }
  public func inner(_ n: Int) -> Int { n }
  public func maybe(_ value: String?) -> String? { value }
  public func same() -> Machine { self }
  open class func kind(_ n: Int) -> String { "machine \(n)" }
  public static func build(_ n: Int) -> Machine { Machine(number: n) }

  public var title: String {
    get { "title " + label }
    set { label = newValue }
  }

  public var watched: Int = 0 {
    willSet { Trace.shared.note("w") }
    didSet { Trace.shared.note("d") }
  }

  public subscript(index: Int) -> Int {
    get { number * index }
    set { label = "\(index)=\(newValue)" }
  }
}

public final class Press: Machine {
  override public func step() {
    Trace.shared.note("<")
    super.step()
    Trace.shared.note(">")
  }
}

public final class Lathe: Machine {
  override public func run(_ n: Int) -> Int {
    Trace.shared.note("l")
    return super.run(n) * 2
  }
}

public struct Gauge: Equatable {
  public var level: Int
  public var marks: [String] = []

  public init(level: Int) { self.level = level }
  public mutating func raise(by amount: Int) -> Int {
    level += amount
    marks.append("\(amount)")
    return level
  }
  public func shown(_ unit: String) -> String { "\(level)\(unit)" }
  public static func zero() -> Gauge { Gauge(level: 0) }
  public var doubled: Int {
    get { level * 2 }
    set { level = newValue / 2 }
  }
}

public final class Crate<Element> {
  public private(set) var contents: [Element] = []
  public init() {}
  public func put(_ element: Element) -> Int {
    contents.append(element)
    return contents.count
  }
}

public func gross(_ amount: Int) -> Int { amount * 2 }
public func chosen<T>(_ first: T, _ second: T) -> T { second }

/// Waits inside until it is let go on.
public final class Turnstile: @unchecked Sendable {
  private let open = Atomic<Bool>(false)
  private let inside = Atomic<Int>(0)
  public init() {}
  public func pass(_ n: Int) -> Int {
    inside.add(1, ordering: .sequentiallyConsistent)
    while !open.load(ordering: .sequentiallyConsistent) {}
    return n
  }
  public func quick(_ n: Int) -> Int { n }
  public var waiting: Int { inside.load(ordering: .sequentiallyConsistent) }
  public func letPass() { open.store(true, ordering: .sequentiallyConsistent) }
}

/// Patches give advice from here, while the program runs.
public final class Panel: @unchecked Sendable {
  public init() {}
  public func press(_ button: String) -> String { "none" }
  public func hook(_ machine: Machine) -> String { "none" }
  public func hook(_ turnstile: Turnstile) -> String { "none" }
}

extension String {
  public mutating func shout(_ mark: String) -> Int {
    self = uppercased() + mark
    return count
  }
}

extension Array where Element == Int {
  public mutating func addAll(_ amount: Int) { for index in indices { self[index] += amount } }
}
