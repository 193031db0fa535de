// SPDX-License-Identifier: MIT

// Classes, actors and generic types of a library.

open class Animal {
  public private(set) var name: String
  public var age = 1 { didSet { changes += 1 } }
  public var changes = 0
  public lazy var tag: String = "tag of \(name)"

  public init(name: String) { self.name = name }
  public convenience init?(checked name: String) {
    if name.isEmpty { return nil }
    self.init(name: name)
  }
  open func sound() -> String { "\(name) is silent" }
  open class func kind() -> String { "animal" }
  public func rename(_ new: String) -> Self {
    name = new
    return self
  }
  public func later(_ n: Int) async -> Int { n + age }
  public func laterThrowing(_ n: Int) async throws -> String { "\(try checked(n))" }
}

public final class Dog: Animal {
  override public func sound() -> String { "\(name) barks" }
  override public class func kind() -> String { "dog" }
}

public actor Counter {
  public var count = 0
  public init() {}
  public func add(_ n: Int) -> Int {
    count += n
    return count
  }
  public nonisolated func title() -> String { "counter" }
}

public struct Box<Value> {
  public var value: Value
  public var count: Int
  public init(_ value: Value) { (self.value, count) = (value, 1) }
  public func got() -> Value { value }
  public func map<Other>(_ transform: (Value) -> Other) -> Box<Other> {
    Box<Other>(transform(value))
  }
  public mutating func replace(_ new: Value) -> Value {
    let old = value
    (value, count) = (new, count + 1)
    return old
  }
}

public struct Wide<First, Second> {
  public var a: Int, b: Int, c: First, d: Second, e: First.Type
  public init(_ c: First, _ d: Second) { (a, b, self.c, self.d, e) = (1, 2, c, d, First.self) }
  public func described() -> String { "\(a) \(b) \(c) \(d) \(e)" }
  public func asyncly() async -> Second { d }
}

public class Cell<Value> {
  public var value: Value
  public init(_ value: Value) { self.value = value }
  public func swap(_ new: Value) -> Value {
    defer { value = new }
    return value
  }
}

public final class IntCell: Cell<Int> {
  override public func swap(_ new: Int) -> Int { super.swap(new) + 1 }
}

public func largest<Value: Comparable>(_ values: [Value]) -> Value? { values.max() }
public func both<each Value>(_ value: repeat each Value) -> Int {
  var count = 0
  for _ in repeat each value { count += 1 }
  return count
}
public func kept(_ body: @escaping (Int) -> String) -> (Int) -> String { { body($0 + 1) } }
public func made() -> some Collection<Int> { [1, 2, 3] }
