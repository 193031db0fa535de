// SPDX-License-Identifier: MIT

/// A package that is compiled without implicit dynamic: its functions are only called.
public struct Pairs<Key: Hashable, Value> {
  private var keys: [Key] = []
  private var values: [Value] = []

  public init() {}

  public mutating func put(_ key: Key, _ value: Value) {
    keys.append(key)
    values.append(value)
  }

  public func get(_ key: Key) -> Value? { keys.firstIndex(of: key).map { values[$0] } }
  public func get<Other>(_ key: Key, as type: Other.Type) -> Other? { get(key) as? Other }
  public consuming func taken() -> [Value] { values }
}

public final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

public struct Locked<Value> {
  private let box: Box<Value>

  public init(_ value: Value) { box = Box(value) }

  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try body(&box.value)
  }
}

/// Not generic, so that its symbols show that there is no library evolution.
public struct Parameters {
  public var pairs = Pairs<String, Int>()

  public init() {}

  public func get(_ name: String) -> Int? { pairs.get(name) }
}
