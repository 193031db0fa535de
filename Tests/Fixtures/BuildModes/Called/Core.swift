// A library whose methods are only called: it is compiled without implicit dynamic.

public struct Table<Key: Hashable, Value> {
  var items: [(Key, Value)] = []
  public init(_ items: [(Key, Value)]) { self.items = items }
  @inline(never) public func get(_ key: Key) -> Value? { items.first { $0.0 == key }?.1 }
  @inline(never) public mutating func set(_ key: Key, _ value: Value) {
    items.append((key, value))
  }
}

public struct Locked<Value> {
  final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  let storage: Storage
  public init(_ value: Value) { storage = Storage(value) }
  @inline(never) public func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows
    -> Result
  {
    try body(&storage.value)
  }
}

public struct Content {
  public var reads = 0
  public init() {}
  @inline(never) public mutating func read<Value>(_ value: Value) -> Value {
    reads += 1
    return value
  }
}

public final class Request {
  public var table = Table([("a", 1)])
  public let locked = Locked(3)
  public var content = Content()
  public init() {}
}
